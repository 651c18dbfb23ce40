import type { Label } from '#contract/labels'
import { relabelled, type LabelEdit } from '#domain/campaign/labels'

/** A campaign whose labels can be changed. */
export type Labelable = {
  readonly id: string
  readonly name: string
  readonly space_id: string
  readonly labels: readonly Pick<Label, 'id' | 'name' | 'color'>[]
}

/** Choice for a label: on every campaign, on none, or as it is. */
export type Choices = ReadonlyMap<string, 'add' | 'remove'>
export type State = 'all' | 'some' | 'none'

const idsOf = ({ labels }: Labelable) => new Set(labels.map(({ id }) => id))

/** On how many of the campaigns a label is, with what is chosen. */
export function stateOf(rows: readonly Labelable[], choices: Choices, id: string): State {
  const choice = choices.get(id)
  if (choice !== undefined) return choice === 'add' ? 'all' : 'none'
  const count = rows.filter((row) => idsOf(row).has(id)).length
  return count === 0 ? 'none' : count === rows.length ? 'all' : 'some'
}

/** The choices after a label is pressed: on everything, then on nothing, and a label of some campaigns back as it is. */
export function pressed(rows: readonly Labelable[], choices: Choices, id: string): Choices {
  const next = new Map(choices)
  const before = stateOf(rows, new Map(), id)
  const now = stateOf(rows, choices, id)
  const wanted = now === 'all' ? 'none' : now === 'some' || before !== 'some' ? 'all' : 'some'
  if (wanted === before) next.delete(id)
  else next.set(id, wanted === 'all' ? 'add' : 'remove')
  return next
}

const editOf = (choices: Choices): LabelEdit => ({
  add: [...choices].flatMap(([id, choice]) => (choice === 'add' ? [id] : [])),
  remove: [...choices].flatMap(([id, choice]) => (choice === 'remove' ? [id] : [])),
})

/** Effect of the choices on a campaign; `full` when it would have too many labels. */
export type LabelPlan =
  | { readonly kind: 'same' | 'full' }
  | { readonly kind: 'changed'; readonly added: readonly string[]; readonly removed: readonly string[] }

export function planOf(row: Labelable, choices: Choices): LabelPlan {
  const edit = editOf(choices)
  const result = relabelled(idsOf(row), edit, new Set(edit.add))
  if (result.kind !== 'done') return { kind: 'full' }
  const { added, removed } = result
  return added.length + removed.length === 0 ? { kind: 'same' } : { kind: 'changed', added, removed }
}
