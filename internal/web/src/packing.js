// What a file is, by its first bytes.

const begins = (bytes, ...start) => start.every((byte, i) => bytes[i] === byte);

// packingOf returns how a file is packed, by its first bytes, as Content-Encoding names it; "" if
// it is not.
export function packingOf(bytes) {
  if (begins(bytes, 0x1f, 0x8b)) return "gzip";
  return begins(bytes, 0x28, 0xb5, 0x2f, 0xfd) ? "zstd" : "";
}

// isNoList reports whether a file, by its first bytes, is an export of terse, or a packed one.
export const isNoList = (bytes) =>
  packingOf(bytes) !== "" || /^\ufeff?\s*\{/.test(new TextDecoder().decode(bytes));
