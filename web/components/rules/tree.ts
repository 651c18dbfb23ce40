import { isGroup, type DraftGroup, type DraftNode, type DraftRule, type FilterOf } from './draft.ts'

/** A position in an entry's rules: the index within each group on the way. The root group is the empty path. */
export type TreePath = readonly number[]

/** Returns the group with the node at `path` replaced, or removed for null. All other nodes stay the same objects. */
function change(group: DraftGroup, path: TreePath, how: (node: DraftNode) => DraftNode | null): DraftGroup {
  const [head, ...rest] = path
  if (head === undefined) {
    const changed = how(group)
    return changed !== null && isGroup(changed) ? changed : group
  }
  const rules = group.rules.flatMap((node, index): readonly DraftNode[] => {
    if (index !== head) return [node]
    if (rest.length > 0) return [isGroup(node) ? change(node, rest, how) : node]
    const changed = how(node)
    return changed === null ? [] : [changed]
  })
  return { ...group, rules }
}

const inGroup = (group: DraftGroup, path: TreePath, how: (found: DraftGroup) => DraftGroup) =>
  change(group, path, (node) => (isGroup(node) ? how(node) : node))

const append = (group: DraftGroup, path: TreePath, node: DraftNode) =>
  inGroup(group, path, (found) => ({ ...found, rules: [...found.rules, node] }))

const newRule: DraftRule = { field: '', operator: '', value: '', added: true }

export const addRule = (root: DraftGroup, path: TreePath) => append(root, path, newRule)
/** Adds a group with an empty rule. Inside an "and" group it is an "or" group, and the other way round. */
export const addGroup = (root: DraftGroup, path: TreePath) =>
  inGroup(root, path, (found) => ({
    ...found,
    rules: [...found.rules, { condition: found.condition === 'and' ? 'or' : 'and', rules: [newRule], added: true }],
  }))
export const removeAt = (root: DraftGroup, path: TreePath) => change(root, path, () => null)
/** Puts a node where it was; no-op when its group is gone. */
export const insertAt = (root: DraftGroup, path: TreePath, node: DraftNode) =>
  inGroup(root, path.slice(0, -1), (found) => ({ ...found, rules: found.rules.toSpliced(path.at(-1) ?? 0, 0, node) }))
/** Swaps a node with its neighbour in the group; no-op at the ends. */
export function moveAt(root: DraftGroup, path: TreePath, by: -1 | 1): DraftGroup {
  const from = path.at(-1) ?? 0
  return inGroup(root, path.slice(0, -1), (found) => {
    const [moved, neighbour] = [found.rules[from], found.rules[from + by]]
    if (moved === undefined || neighbour === undefined) return found
    return { ...found, rules: found.rules.with(from, neighbour).with(from + by, moved) }
  })
}
export const setCondition = (root: DraftGroup, path: TreePath, condition: 'and' | 'or') =>
  inGroup(root, path, (found) => ({ ...found, condition }))

export function nodeAt(root: DraftGroup, path: TreePath): DraftNode | null {
  let node: DraftNode = root
  for (const index of path) {
    const next: DraftNode | undefined = isGroup(node) ? node.rules[index] : undefined
    if (next === undefined) return null
    node = next
  }
  return node
}

const changeRule = (root: DraftGroup, path: TreePath, how: (rule: DraftRule) => DraftRule) =>
  change(root, path, (node) => (isGroup(node) ? node : how(node)))

export const setOperator = (root: DraftGroup, path: TreePath, operator: string) =>
  changeRule(root, path, (rule) => ({ ...rule, operator }))
export const setValue = (root: DraftGroup, path: TreePath, value: DraftRule['value']) =>
  changeRule(root, path, (rule) => ({ ...rule, value }))
export const setField = (root: DraftGroup, path: TreePath, field: string, filterOf: FilterOf) =>
  changeRule(root, path, (rule) => withField(rule, field, filterOf))

/** Changes the filter. The operator and the value stay only if the new filter supports them. */
export function withField(rule: DraftRule, field: string, filterOf: FilterOf): DraftRule {
  const before = filterOf(rule.field)
  const filter = filterOf(field)
  if (filter === null) return { ...rule, field, operator: '', value: '' }
  const operator = filter.operators.find((known) => known === rule.operator) ?? filter.operators[0] ?? ''
  const alike = before?.kind === filter.kind && filter.kind !== 'choice'
  return { ...rule, field, operator, value: alike ? rule.value : filter.kind === 'flag' ? true : '' }
}
