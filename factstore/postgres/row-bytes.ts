import type { Fact } from '#domain/delivery/batch'
import { NAMED, ROW_COLUMNS, SUMS } from './columns.ts'
import type { Numbers } from './numbers.ts'

/** Signature, flags and length of the header's extension, as PostgreSQL documents them for COPY in binary format. */
const HEADER = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)])
const TRAILER = Buffer.from([0xff, 0xff])
const NULL_LENGTH = -1
/** The server's epoch is 2000-01-01, and it counts microseconds. */
const EPOCH_MS = Date.UTC(2000, 0, 1)
const WORD = 2 ** 32
/** Bytes of a row whose sums are all there. */
const LONGEST_ROW = 2 + (4 + 8) + (4 + 4) * (1 + NAMED.length) + (4 + 2) + (4 + 8) * SUMS.length

/** Facts as the bytes of a COPY in binary format, in the order of ROW_COLUMNS. */
export function rowBytes(facts: readonly Fact[], numbers: Pick<Numbers, 'name' | 'owner'>): Buffer {
  const bytes = Buffer.allocUnsafe(HEADER.length + facts.length * LONGEST_ROW + TRAILER.length)
  let at = HEADER.copy(bytes)
  const number = (value: number) => {
    at = bytes.writeInt32BE(4, at)
    at = bytes.writeInt32BE(value, at)
  }
  const long = (value: number) => {
    const high = Math.floor(value / WORD)
    at = bytes.writeInt32BE(8, at)
    at = bytes.writeInt32BE(high, at)
    at = bytes.writeUInt32BE(value - high * WORD, at)
  }
  const hours = new Map<string, Buffer>()
  for (const fact of facts) {
    at = bytes.writeInt16BE(ROW_COLUMNS.length, at)
    let hour = hours.get(fact.hour)
    if (hour === undefined) hours.set(fact.hour, (hour = hourBytes(fact.hour)))
    at += hour.copy(bytes, at)
    number(numbers.owner(fact))
    for (const name of NAMED) number(numbers.name(fact[name]))
    at = bytes.writeInt32BE(2, at)
    at = bytes.writeInt16BE(fact.device_type_key, at)
    for (const sum of SUMS) {
      // Facts that wait since before an upgrade lack its new sums.
      const value = (sum === 'spent' ? fact.billed : (fact as Partial<Fact>)[sum]) ?? 0
      if (value === 0) at = bytes.writeInt32BE(NULL_LENGTH, at)
      else long(value)
    }
  }
  at += TRAILER.copy(bytes, at)
  return bytes.subarray(0, at)
}

function hourBytes(hour: string): Buffer {
  const bytes = Buffer.alloc(12)
  bytes.writeInt32BE(8)
  bytes.writeBigInt64BE(BigInt(Date.parse(hour) - EPOCH_MS) * 1000n, 4)
  return bytes
}
