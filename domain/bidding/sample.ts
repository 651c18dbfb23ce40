import { parseIp } from '../kit/ip-range.ts'
import type { Fact, Facts } from './evaluate.ts'
import { factsOf, type BidRequest } from './impression.ts'

/** Most impressions of a sample; older ones go. */
export const SAMPLE_SIZE = 1000
/** Longest text of a sampled impression, characters; longer values are left out. */
const LONGEST_TEXT = 300
/** Most values of one filter, such as sizes. */
const MOST_VALUES = 20

/**
 * Values kept of each impression of a bid request for the rule lab: those that rules can compare, and nothing else. An address is
 * kept as its network, the /24 or /48 (fine print 103).
 */
export const sampledFacts = (request: BidRequest): readonly Facts[] =>
  request.imp.map((imp) =>
    Object.fromEntries(
      Object.entries(factsOf(request, imp)).flatMap(([filter, fact]) => {
        const kept = filter === 'device_ip' ? networkOf(fact) : bounded(fact)
        return kept === null ? [] : [[filter, kept]]
      }),
    ),
  )

function bounded(fact: Fact): Fact | null {
  if (typeof fact === 'object') return fact.filter(isShort).slice(0, MOST_VALUES)
  return isShort(fact) ? fact : null
}

const isShort = (value: string | number | boolean): boolean => typeof value !== 'string' || value.length <= LONGEST_TEXT

/** The first address of the network; null for what is no address. */
function networkOf(fact: Fact): string | null {
  const address = typeof fact === 'string' ? parseIp(fact) : null
  if (address === null) return null
  const part = (bits: number, size: number) => (address.value >> BigInt(bits)) & ((1n << BigInt(size)) - 1n)
  if (address.family === 4) return `${[24, 16, 8].map((bits) => part(bits, 8)).join('.')}.0`
  return `${[112, 96, 80].map((bits) => part(bits, 16).toString(16)).join(':')}::`
}
