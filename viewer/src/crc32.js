// CRC-32 as in zlib and PNG, eight bytes at a time.

const TABLES = tables();

function tables() {
  const all = Array.from({ length: 8 }, () => new Uint32Array(256));
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    all[0][byte] = crc >>> 0;
  }
  for (let k = 1; k < 8; k++) {
    for (let byte = 0; byte < 256; byte++) {
      const before = all[k - 1][byte];
      all[k][byte] = (before >>> 8) ^ all[0][before & 0xff];
    }
  }
  return all;
}

/** @param {Uint8Array} bytes */
export function crc32(bytes) {
  const [t0, t1, t2, t3, t4, t5, t6, t7] = TABLES;
  let crc = 0xffffffff;
  let i = 0;
  for (const end = bytes.length - 8; i <= end; i += 8) {
    const low = crc ^ (bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24));
    crc =
      t7[low & 0xff] ^ t6[(low >>> 8) & 0xff] ^ t5[(low >>> 16) & 0xff] ^ t4[low >>> 24] ^
      t3[bytes[i + 4]] ^ t2[bytes[i + 5]] ^ t1[bytes[i + 6]] ^ t0[bytes[i + 7]];
  }
  for (; i < bytes.length; i++) crc = (crc >>> 8) ^ t0[(crc ^ bytes[i]) & 0xff];
  return ~crc >>> 0;
}
