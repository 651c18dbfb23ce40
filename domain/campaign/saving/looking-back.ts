import { NOTHING_LOOKED_UP } from './references.ts'
import type { Fault } from '#domain/kit/errors'
import { apply, equal, invert, type Json } from '#domain/kit/json-changes'
import { refuse, type CampaignCommand, type CommandFacts, type Decision, type Save } from '../commands.ts'
import { isOwnerPath, type CampaignContent } from '../content/content.ts'
import { publishFaults } from './publish-rules.ts'
import { saveFaults } from './save-rules.ts'
import { save } from './saving.ts'
import { shape, type CampaignPatch } from '../content/shape.ts'
import type { CampaignState } from '../state.ts'

const APP = 'bidding_strategy.app_promotion.'

/** Keys whose rules may forbid the restore; they then keep their present value and are listed in `kept` (fine print 13). */
const HELD_BACK = {
  name: [1312],
  country: [2],
  campaign_start_at: [1304, 1306],
  campaign_end_at: [1305],
  budget_type_key: [1307],
  bidding_strategy: [1310],
} as const satisfies Partial<Record<keyof CampaignContent, readonly number[]>>

export function restore(
  command: CampaignCommand & { type: 'RestoreRevision' },
  state: CampaignState,
  facts: CommandFacts,
): Decision {
  if (state.archived) return refuse(134)
  const { patch, kept } = permitted(patchOf(command.content), state, command, facts)
  const decision = save({ ...command, patch }, state, facts, { publishing: false, restored: command.restored, kept })
  return decision.kind === 'events' ? { ...decision, kept } : decision
}

export function undo(command: CampaignCommand & { type: 'UndoRevision' }, state: CampaignState, facts: CommandFacts): Decision {
  if (state.archived) return refuse(134)
  // Fields that the caller may not write are not reverted, so their current values cannot block the revert.
  const changes = command.changes.filter(({ path }) => isBroughtBack(path, command))
  const touches = (path: string) =>
    changes.some(
      (change) =>
        change.path === path ||
        path.startsWith(`${change.path}.`) ||
        path.startsWith(`${change.path}[`) ||
        change.path.startsWith(`${path}.`) ||
        change.path.startsWith(`${path}[`),
    )
  const conflicts = command.later.filter((later) => later.changes.some(({ path }) => touches(path)))
  if (conflicts.length > 0)
    return refuse(
      140,
      conflicts.map(({ revision }) => ({
        path: `revision.${revision}`,
        code: 140,
        message: `Changed again in revision ${revision}`,
      })),
    )
  const target = apply(state.head, invert(changes))
  const { patch, kept } = permitted(patchOf(target), state, command, facts)
  const decision = save({ ...command, patch, expected: null }, state, facts, { publishing: false, undone: command.undone, kept })
  return decision.kind === 'events' ? { ...decision, kept } : decision
}

/** The restorable part of a content. The zone belongs to the country, and whitelist flags follow from the lists themselves. */
export const patchOf = (content: CampaignContent): CampaignPatch => {
  const { timezone_offset_seconds: _zone, has_whitelist: _lists, ...rest } = content
  return rest
}

const isBroughtBack = (path: string, { mayWriteOwnerFields }: Omit<Save, 'patch'>): boolean =>
  path !== 'has_whitelist' && (mayWriteOwnerFields || !isOwnerPath(path))

function permitted(patch: CampaignPatch, state: CampaignState, command: Omit<Save, 'patch'>, facts: CommandFacts) {
  const kept: string[] = []
  let result = patch
  const contentWith = (part: CampaignPatch) =>
    shape(state.head, part, { ...command, countryOffset: facts.countryOffset, now: facts.now }).content
  const faultsOf = (part: CampaignPatch) => forbiddenFaults(contentWith(part), state, facts)
  /** A type that promotes no app cannot keep the current app, and a goal may need an app that is missing. */
  const goesWithApp = (bidding_strategy: CampaignPatch['bidding_strategy']) =>
    ![...faultsOf({ bidding_strategy }), ...publishFaults(contentWith({ bidding_strategy }))].some(({ path }) =>
      path.startsWith(APP),
    )
  for (const [key, codes] of entriesOf(HELD_BACK)) {
    if (same(patch[key], state.head[key])) continue
    const forbidden: readonly number[] = codes
    const faults = faultsOf({ [key]: patch[key] })
    if (!faults.some(({ path, code }) => forbidden.includes(code) && (path === key || path.startsWith(`${key}.`)))) continue
    const strategy = key === 'bidding_strategy' ? keepApp(patch, state) : undefined
    if (strategy !== undefined && goesWithApp(strategy)) {
      result = { ...result, bidding_strategy: strategy }
      kept.push('bidding_strategy.app_promotion.bundle_id')
    } else {
      const { [key]: _held, ...rest } = result
      result = rest
      kept.push(key)
    }
  }
  // Last: start and end are restored as a pair, because either alone may conflict with the other's present value.
  if (faultsOf(datesOf(result)).some(({ code }) => code === 1303)) {
    const { campaign_start_at: start, campaign_end_at: end, ...rest } = result
    if (start !== undefined && start !== state.head.campaign_start_at) kept.push('campaign_start_at')
    if (end !== undefined && end !== state.head.campaign_end_at) kept.push('campaign_end_at')
    result = rest
  }
  return { patch: result, kept }
}

const datesOf = (patch: CampaignPatch): CampaignPatch => ({
  ...('campaign_start_at' in patch ? { campaign_start_at: patch.campaign_start_at } : {}),
  ...('campaign_end_at' in patch ? { campaign_end_at: patch.campaign_end_at } : {}),
})

const same = (a: unknown, b: unknown): boolean => equal(a as Json, b as Json)

const keepApp = (patch: CampaignPatch, { head }: CampaignState): CampaignPatch['bidding_strategy'] => ({
  ...patch.bidding_strategy,
  app_promotion: {
    ...patch.bidding_strategy?.app_promotion,
    bundle_id: head.bidding_strategy.app_promotion.bundle_id,
    app_platform_type: head.bidding_strategy.app_promotion.app_platform_type,
  },
})

const forbiddenFaults = (content: CampaignContent, state: CampaignState, facts: CommandFacts): readonly Fault[] =>
  saveFaults(content, {
    before: state.head,
    now: facts.now,
    strict: false,
    publishing: false,
    launched: state.launched !== null,
    approvedOnce: state.approved !== null,
    nameTaken: facts.nameTaken && content.name !== state.head.name,
    countryKnown: true,
    baseBid: facts.baseBid,
    maxMargin: facts.maxMargin,
    references: NOTHING_LOOKED_UP,
  })

const entriesOf = <T extends object>(table: T) => Object.entries(table) as { [K in keyof T]: [K, T[K]] }[keyof T][]
