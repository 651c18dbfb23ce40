const RATE = 8000

/** A WAV of one channel and eight bits whose loudness rises and falls every five seconds. */
export function wav({ seconds }: { readonly seconds: number }): Buffer {
  const length = RATE * seconds
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + length, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(RATE, 24)
  header.writeUInt32LE(RATE, 28)
  header.writeUInt16LE(1, 32)
  header.writeUInt16LE(8, 34)
  header.write('data', 36)
  header.writeUInt32LE(length, 40)
  const samples = Buffer.from(
    Uint8Array.from({ length }, (_, at) => 128 + 120 * Math.sin(at / 3) * Math.abs(Math.sin((at * Math.PI) / RATE / 5))),
  )
  return Buffer.concat([header, samples])
}
