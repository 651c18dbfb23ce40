import { STATUS, STATUS_KEYS, type StatusKey } from '#domain/campaign/status/status-keys'

/** The display and the row actions of each status (campaigns.md §4). The shared domain defines what statuses mean. */

export type Tone = 'good' | 'warn' | 'bad' | 'idle'
export type RefusalKey = 'draft' | 'inModeration' | 'rejected' | 'finished' | 'budgetSpent'
export type RunState =
  | { readonly action: 'run' | 'pause'; readonly refusal: null }
  | { readonly action: 'run'; readonly refusal: RefusalKey }

const run = { action: 'run', refusal: null } as const
const pause = { action: 'pause', refusal: null } as const
const refused = (refusal: RefusalKey) => ({ action: 'run', refusal }) as const

const TABLE: Record<StatusKey, { readonly tone: Tone; readonly runState: RunState }> = {
  0: { tone: 'idle', runState: refused('draft') },
  1: { tone: 'warn', runState: refused('inModeration') },
  2: { tone: 'bad', runState: refused('rejected') },
  3: { tone: 'good', runState: pause },
  5: { tone: 'idle', runState: run },
  6: { tone: 'warn', runState: pause },
  31: { tone: 'good', runState: pause },
  40: { tone: 'idle', runState: run },
  41: { tone: 'idle', runState: run },
  42: { tone: 'idle', runState: refused('budgetSpent') },
  43: { tone: 'idle', runState: refused('finished') },
  44: { tone: 'idle', runState: run },
  45: { tone: 'idle', runState: run },
}

export const isStatusKey = (key: number): key is StatusKey => STATUS_KEYS.some((known) => known === key)

export const statusName = (key: number) => (isStatusKey(key) ? STATUS[key] : 'draft')
export const statusTone = (key: number): Tone => (isStatusKey(key) ? TABLE[key].tone : 'idle')
export const runStateOf = (key: number): RunState => (isStatusKey(key) ? TABLE[key].runState : refused('draft'))
export const canArchive = (key: number): boolean => key !== 5

/** The start date of running campaigns, or the planned one of waiting campaigns (campaigns.md §2). */
export function startOf(
  key: number,
  startAt: string | null,
  now: number,
): { readonly key: 'startsOn' | 'startedOn'; readonly at: string } | null {
  if (startAt === null) return null
  if (Date.parse(startAt) > now) return key === 3 || key === 31 || key === 40 ? { key: 'startsOn', at: startAt } : null
  return key === 3 || key === 31 ? { key: 'startedOn', at: startAt } : null
}
