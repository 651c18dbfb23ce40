import { refuse, type CampaignCommand, type Decision } from '../commands.ts'
import type { CampaignState } from '../state.ts'

/** A sample of approvals is checked by a second moderator (fine print 104). */

/** Share of the approvals, percent. */
export const SECOND_LOOK_SHARE = { min: 0, max: 100, preset: 5 } as const

/** Days after the approval in which a second moderator may check it. */
export const OPEN_DAYS = 30

/**
 * Whether an approval belongs to the sample. The same for every process and every replay: it follows from the ids alone. A greater
 * share keeps what a smaller one chose. `approval` is the revision of the approval, `share` a percentage.
 */
export const isSampled = (campaignId: string, approval: number, share: number): boolean =>
  hashOf(`second look ${campaignId} ${approval}`) % 10_000 < share * 100

/** 32 bits that differ for similar texts: FNV-1a, and the finalizer of MurmurHash3, without which the low bits are uneven. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** Whether an approval is still what serves: neither approved again, nor submitted again, rejected or archived since. */
export const isStillApproved = (state: CampaignState, approval: number): boolean =>
  !state.archived && state.approved !== null && state.review.kind === 'approved' && state.causes.approved?.revision === approval

/**
 * Records the outcome: agreed; disagreed, which rejects the campaign; or noted, for a disagreement with what changed meanwhile.
 * Refuses the moderator who approved it (3), what was decided already (136), and a disagreement without a reason (1301).
 */
export function takeSecondLook(command: CampaignCommand & { type: 'TakeSecondLook' }, state: CampaignState): Decision {
  const { approval, agrees, moderatorId } = command
  if (state.second_look !== undefined && state.second_look.approval >= approval) return refuse(136)
  const approved = state.causes.approved
  if (approved?.revision === approval && approved.actor === moderatorId) return refuse(3)
  const comment = command.comment.trim()
  if (agrees) return { kind: 'events', events: [{ type: 'SecondLookTaken', data: { approval, outcome: 'agreed', comment: '' } }] }
  if (comment === '') return refuse(1301, [{ path: 'comment', code: 1301, message: 'Field is required.', key: 'required' }])
  if (!isStillApproved(state, approval))
    return { kind: 'events', events: [{ type: 'SecondLookTaken', data: { approval, outcome: 'noted', comment } }] }
  return {
    kind: 'events',
    events: [
      { type: 'CampaignRejected', data: { submission: state.submissions, comment } },
      { type: 'SecondLookTaken', data: { approval, outcome: 'disagreed', comment } },
    ],
  }
}
