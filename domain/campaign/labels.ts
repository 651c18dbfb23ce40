/** Labels of campaigns (fine print 107): names with a colour, which belong to an account and change nothing about delivery. */

/** Names of colours. The screens give each a tone that is seen in the light and in the dark theme. */
export const LABEL_COLORS = ['gray', 'red', 'orange', 'yellow', 'green', 'teal', 'blue', 'violet', 'pink'] as const
export type LabelColor = (typeof LABEL_COLORS)[number]

/** Labels of an account. */
export const MOST_LABELS = 100
/** Labels of a campaign. */
export const MOST_LABELS_OF_CAMPAIGN = 10
/** Characters of a name. */
export const LONGEST_LABEL = 40
/** Campaigns whose labels one call changes: the longest page of the list. */
export const MOST_LABELLED = 150

/** Ids of labels to add to a campaign, and to remove from it. A label in both is added. */
export type LabelEdit = { readonly add: readonly string[]; readonly remove: readonly string[] }
export type Relabelled =
  | {
      readonly kind: 'done'
      readonly labels: ReadonlySet<string>
      readonly added: readonly string[]
      readonly removed: readonly string[]
    }
  /** An added label is not one of the account, or the campaign would have too many. */
  | { readonly kind: 'unknown' | 'full' }

/** The labels of a campaign after an edit, and what the edit changed: the way back is to add `removed` and to remove `added`. */
export function relabelled(has: ReadonlySet<string>, { add, remove }: LabelEdit, known: ReadonlySet<string>): Relabelled {
  // Deleted labels are on no campaign, so only what is added must be known.
  if (add.some((id) => !known.has(id))) return { kind: 'unknown' }
  const labels = new Set([...[...has].filter((id) => !remove.includes(id)), ...add])
  if (labels.size > MOST_LABELS_OF_CAMPAIGN) return { kind: 'full' }
  return {
    kind: 'done',
    labels,
    added: [...labels].filter((id) => !has.has(id)),
    removed: [...has].filter((id) => !labels.has(id)),
  }
}
