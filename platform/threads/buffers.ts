/** The same memory as a `Buffer`, which threads receive as a plain `Uint8Array`. */
export const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
