// Convex polygons in space, cut by half-spaces.

/** What is left of a polygon (a list of [x, y, z]) where normal · x ≤ offset. */
export function cut(polygon, normal, offset) {
  const height = (p) => p[0] * normal[0] + p[1] * normal[1] + p[2] * normal[2] - offset;
  const kept = [];
  polygon.forEach((p, i) => {
    const q = polygon[(i + 1) % polygon.length];
    const [a, b] = [height(p), height(q)];
    if (a <= 0) kept.push(p);
    if (a <= 0 !== b <= 0) kept.push(p.map((x, k) => x + (q[k] - x) * (a / (a - b))));
  });
  return kept;
}

/** A square in the plane normal · x = offset, about the foot of `centre`. */
export function square(normal, offset, centre, half) {
  const away = dot(normal, centre) - offset;
  const foot = centre.map((x, k) => x - away * normal[k]);
  const [u, v] = across(normal);
  const corner = (s, t) => foot.map((x, k) => x + half * (s * u[k] + t * v[k]));
  return [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
}

/** Two directions at right angles to a unit vector and to each other. */
function across(n) {
  const helper = Math.abs(n[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0];
  const u = cross(helper, n);
  const length = Math.hypot(...u);
  const unit = u.map((x) => x / length);
  return [unit, cross(n, unit)];
}

export function dot(a, b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

export function cross(a, b) {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/** A vector turned by the quaternion x, y, z, w. */
export function turn([x, y, z, w], v) {
  const t = cross([x, y, z], v).map((c, k) => c + w * v[k]);
  return cross([x, y, z], t).map((c, k) => v[k] + 2 * c);
}
