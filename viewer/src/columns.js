// Columns of numbers as byte planes, and numbers in two bytes: see docs/trajectory.md, "Columns".

const HALVES = halves();

/** All numbers that two bytes can stand for: binary16 without subnormal numbers and infinities. */
function halves() {
  const all = new Float64Array(65536);
  for (let u = 0; u < 65536; u++) {
    const exponent = (u >> 10) & 31;
    const magnitude = exponent === 0 ? 0 : exponent === 31 ? NaN : (1 + (u & 1023) / 1024) * 2 ** (exponent - 15);
    all[u] = u >> 15 ? -magnitude : magnitude;
  }
  return all;
}

/** Takes columns off the front of a payload; throws where it is too short. */
export class Columns {
  constructor(payload, at) {
    this.bytes = payload;
    this.at = at;
  }

  next(count, width) {
    const start = this.at;
    this.at += count * width;
    if (this.at > this.bytes.length) throw new RangeError("the columns end too early");
    return start;
  }

  u8(count) {
    const start = this.next(count, 1);
    return this.bytes.slice(start, start + count);
  }

  u16(count) {
    const [b, start, numbers] = [this.bytes, this.next(count, 2), new Uint16Array(count)];
    for (let i = 0; i < count; i++) numbers[i] = b[start + i] | (b[start + count + i] << 8);
    return numbers;
  }

  u32(count) {
    const [b, start, numbers] = [this.bytes, this.next(count, 4), new Uint32Array(count)];
    const [s1, s2, s3] = [start + count, start + 2 * count, start + 3 * count];
    for (let i = 0; i < count; i++) {
      numbers[i] = b[start + i] | (b[s1 + i] << 8) | (b[s2 + i] << 16) | (b[s3 + i] << 24);
    }
    return numbers;
  }

  i32(count) {
    return new Int32Array(this.u32(count).buffer);
  }

  f32(count) {
    return new Float32Array(this.u32(count).buffer);
  }

  /** @returns {Float32Array} halves times the unit */
  half(count, unit) {
    const [b, start, numbers] = [this.bytes, this.next(count, 2), new Float32Array(count)];
    for (let i = 0; i < count; i++) numbers[i] = HALVES[b[start + i] | (b[start + count + i] << 8)] * unit;
    return numbers;
  }

  /** Vectors, one column for each axis; axes that are not there are zero. Interleaved x, y, z. */
  halfVectors(count, axes, unit) {
    const vectors = new Float32Array(3 * count);
    for (const axis of axes) {
      const column = this.half(count, unit);
      for (let i = 0; i < count; i++) vectors[3 * i + axis] = column[i];
    }
    return vectors;
  }

  /** Points in steps of a quantum from an origin, interleaved x, y, z. */
  points(count, dimension, origin, quantum) {
    const points = new Float64Array(3 * count);
    for (let axis = 0; axis < dimension; axis++) {
      const column = this.i32(count);
      for (let i = 0; i < count; i++) points[3 * i + axis] = origin[axis] + quantum * column[i];
    }
    return points;
  }
}
