// Programs for the graphics card. Every grain's numbers lie in textures; an instance only knows which grain it is.

/** Row length of the textures. */
export const TEXTURE_WIDTH = 1024;

const COMMON = /* glsl */ `
precision highp float;
precision highp int;
precision highp sampler2D;

vec3 turn(vec4 q, vec3 v) {
  return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}
`;

/** What half of space is cut away: plane.xyz · x > plane.w. */
const CLIP = /* glsl */ `
uniform vec4 uClip;
uniform int uClipMode;   // 0 off, 1 through grains, 2 whole grains
`;

export const grainVertex = /* glsl */ `
${COMMON}
${CLIP}
uniform sampler2D uPlaces;   // x, y, z, value
uniform sampler2D uTurns;    // quaternion
uniform sampler2D uKinds;    // shape
uniform sampler2D uShapes;   // two texels for each: scale, centroid
uniform float uSelected;
in float grain;
out vec3 vNormal;
out vec3 vPosition;
out vec3 vWorld;
flat out float vValue;
flat out float vSelected;

vec4 at(sampler2D table, int i) {
  return texelFetch(table, ivec2(i % ${TEXTURE_WIDTH}, i / ${TEXTURE_WIDTH}), 0);
}

void main() {
  int i = int(grain + 0.5);
  vec4 place = at(uPlaces, i);
  vec4 q = at(uTurns, i);
  int shape = int(at(uKinds, i).r + 0.5);
  vec3 scale = at(uShapes, 2 * shape).xyz;
  vec3 middle = at(uShapes, 2 * shape + 1).xyz;
  vec3 world = place.xyz + turn(q, scale * position - middle);
  vec4 seen = viewMatrix * vec4(world, 1.0);
  vNormal = mat3(viewMatrix) * turn(q, normalize(normal / scale));
  vPosition = seen.xyz;
  vWorld = world;
  vValue = place.w;
  vSelected = abs(grain - uSelected) < 0.5 ? 1.0 : 0.0;
  gl_Position = projectionMatrix * seen;
  if (uClipMode == 2 && dot(uClip.xyz, place.xyz) > uClip.w) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}
`;

const SHADE = /* glsl */ `
uniform vec3 uUp;             // upwards, as the eye sees it
uniform bool uOrthographic;

vec3 toLinear(vec3 c) { return pow(c, vec3(2.2)); }
vec3 toScreen(vec3 c) { return pow(clamp(c, 0.0, 1.0), vec3(1.0 / 2.2)); }

// One lamp over the left shoulder, light from the sky, a weak gloss; rims are darker, so that grains stand apart.
vec3 shade(vec3 colour, vec3 normal, vec3 position) {
  vec3 eye = uOrthographic ? vec3(0.0, 0.0, 1.0) : normalize(-position);
  vec3 lamp = normalize(vec3(-0.45, 0.65, 0.75));
  float day = max(dot(normal, lamp), 0.0);
  float sky = 0.5 + 0.5 * dot(normal, uUp);
  float facing = max(dot(normal, eye), 0.0);
  float gloss = pow(max(dot(normal, normalize(lamp + eye)), 0.0), 40.0);
  float rim = 0.5 + 0.5 * smoothstep(0.0, 0.55, facing);
  return toLinear(colour) * (0.72 * day + 0.22 + 0.30 * sky) * rim + 0.10 * gloss;
}
`;

export const grainFragment = /* glsl */ `
${COMMON}
${CLIP}
${SHADE}
uniform sampler2D uColours;
uniform vec2 uRange;
uniform bool uLogarithmic;    // ends of the range are positive then
uniform int uClasses;         // 1: values are classes
uniform float uOpacity;
uniform bool uFlat;
in vec3 vNormal;
in vec3 vPosition;
in vec3 vWorld;
flat in float vValue;
flat in float vSelected;
out vec4 outColour;

// Where a value is on the scale, from 0 to 1.
float scaled(float value) {
  if (uLogarithmic) {
    if (value <= uRange.x) return 0.0;
    return log(value / uRange.x) / max(log(uRange.y / uRange.x), 1e-30);
  }
  return (value - uRange.x) / max(uRange.y - uRange.x, 1e-30);
}

vec3 colourOf(float value) {
  float place = uClasses == 1
    ? (mod(value, 256.0) + 0.5) / 256.0
    : (0.5 + 255.0 * clamp(scaled(value), 0.0, 1.0)) / 256.0;
  return texture(uColours, vec2(place, 0.5)).rgb;
}

void main() {
  if (uClipMode == 1 && dot(uClip.xyz, vWorld) > uClip.w) discard;
  // Values that are not finite are grey.
  vec3 colour = isnan(vValue) ? vec3(0.5) : colourOf(vValue);
  if (vSelected > 0.5) colour = mix(colour, vec3(1.0, 0.1, 0.45), 0.85);
  if (uFlat) {
    outColour = vec4(colour, uOpacity);
    return;
  }
  if (!gl_FrontFacing && uClipMode == 1) {
    // Seen from inside: that is where the grain is cut.
    outColour = vec4(toScreen(toLinear(colour) * 0.55), uOpacity);
    return;
  }
  vec3 normal = normalize(vNormal) * (gl_FrontFacing ? 1.0 : -1.0);
  outColour = vec4(toScreen(shade(colour, normal, vPosition)), uOpacity);
}
`;

export const outlineFragment = /* glsl */ `
${COMMON}
${CLIP}
uniform vec3 uLine;
uniform float uOpacity;
in vec3 vWorld;
out vec4 outColour;

void main() {
  if (uClipMode == 1 && dot(uClip.xyz, vWorld) > uClip.w) discard;
  outColour = vec4(uLine, uOpacity);
}
`;

/** A cylinder between two points, as thick as the force is large. */
export const chainVertex = /* glsl */ `
${COMMON}
uniform float uThickness;
uniform float uStrongest;
in vec4 start;    // point, force
in vec3 end;
out vec3 vNormal;
out vec3 vPosition;
out vec3 vWorld;
flat out float vValue;

void main() {
  vec3 along = end - start.xyz;
  float length_ = max(length(along), 1e-30);
  vec3 axis = along / length_;
  vec3 side = normalize(abs(axis.z) < 0.9 ? cross(axis, vec3(0.0, 0.0, 1.0)) : cross(axis, vec3(1.0, 0.0, 0.0)));
  vec3 other = cross(axis, side);
  vec3 out_ = side * position.x + other * position.y;
  float share = clamp(start.w / max(uStrongest, 1e-30), 0.0, 1.0);
  vec3 world = start.xyz + along * position.z + out_ * uThickness * mix(0.05, 1.0, share);
  vec4 seen = viewMatrix * vec4(world, 1.0);
  vNormal = mat3(viewMatrix) * out_;
  vPosition = seen.xyz;
  vWorld = world;
  vValue = share;
  gl_Position = projectionMatrix * seen;
}
`;

export const chainFragment = /* glsl */ `
${COMMON}
${CLIP}
${SHADE}
uniform bool uFlat;
in vec3 vNormal;
in vec3 vPosition;
in vec3 vWorld;
flat in float vValue;
out vec4 outColour;

void main() {
  if (uClipMode > 0 && dot(uClip.xyz, vWorld) > uClip.w) discard;
  vec3 colour = mix(vec3(0.98, 0.72, 0.30), vec3(0.75, 0.05, 0.10), sqrt(vValue));
  outColour = vec4(uFlat ? colour : toScreen(shade(colour, normalize(vNormal), vPosition)), 1.0);
}
`;
