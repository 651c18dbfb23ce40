import { parseSync } from 'vite'

/**
 * The claim that a test fails without a requirement. `// covers CAM-BID-20 CAM-BID-24..26` is directly above the test, or at
 * the end of a row of its `it.each` table; deleting the row deletes the claim.
 */
export type Claim = {
  readonly id: string
  readonly file: string
  readonly line: number
  /** First line of the test. */
  readonly test: string
  /** Why the claim is invalid; null when it is valid. */
  readonly fault: string | null
}

type Span = { readonly start: number; readonly end: number }
type Node = Span & { readonly type: string; readonly [key: string]: unknown }
/** `rows` of an `it.each` table are null unless the table is an array literal in this file. */
type Test = Span & { readonly isSkipped: boolean; readonly isTable: boolean; readonly rows: readonly Span[] | null }

const TESTS = new Set(['it', 'test'])
const SKIPS = new Set(['skip', 'skipIf', 'runIf', 'todo', 'fails'])

export function claimsOf(file: string, text: string): readonly Claim[] {
  if (!text.includes('// covers ')) return []
  const { program, comments } = parseSync(file, text)
  const tests = testsIn(program as unknown as Node)
  return comments.flatMap((comment) => {
    const listed = /^ covers (.+)$/.exec(comment.value)?.[1]
    if (comment.type !== 'Line' || listed === undefined) return []
    const ids = listed.trim().split(/\s+/).flatMap(idsOf)
    const line = text.slice(0, comment.start).split('\n').length
    const { test, fault } = placeOf(comment, ids.length, text, tests)
    return ids.map((id) => ({ id, file, line, test, fault }))
  })
}

function placeOf(comment: Span, count: number, text: string, tests: readonly Test[]) {
  const ofRow = tests.find(({ rows }) =>
    rows?.some(({ end }) => end <= comment.start && /^,?[ \t]*$/.test(text.slice(end, comment.start))),
  )
  const below = tests.find(({ start }) => start > comment.end && /^(\s|\/\/.*)*$/.test(text.slice(comment.end, start)))
  const test = ofRow ?? below
  if (test === undefined) return { test: '', fault: 'is neither above a test nor at the end of a table row' }
  const title = text.slice(test.start, test.end).split('\n')[0] ?? ''
  if (test.isSkipped) return { test: title, fault: 'belongs to a skipped test' }
  const rows = test.rows?.length ?? 1
  if (ofRow === undefined && test.isTable && count > rows)
    return { test: title, fault: `names ${count} requirements above a table of ${rows}: claim them at the rows` }
  return { test: title, fault: null }
}

/** Every call of `it` or `test` with its context: a skipped `describe` skips all of its tests. */
function testsIn(program: Node): readonly Test[] {
  const tests: Test[] = []
  const arrays = new Map<string, Node>()
  const visit = (node: Node, skipped: boolean): void => {
    let inner = skipped
    if (node.type === 'VariableDeclarator') {
      const [name, array] = [nameOf(node['id']), arrayOf(node['init'])]
      if (name !== null && array !== null) arrays.set(name, array)
    }
    if (node.type === 'ExpressionStatement') {
      const { root, steps, table } = chainOf(node['expression'])
      inner ||= steps.some((step) => SKIPS.has(step)) && (TESTS.has(root) || root === 'describe')
      if (TESTS.has(root)) {
        const rows = table === null ? null : (arrayOf(table) ?? arrays.get(nameOf(table) ?? '') ?? null)
        tests.push({
          start: node.start,
          end: node.end,
          isSkipped: inner,
          isTable: table !== null,
          rows: rows && elementsOf(rows),
        })
      }
    }
    for (const child of childrenOf(node)) visit(child, inner)
  }
  visit(program, false)
  return tests
}

/** `it.each(table)('…', …)`: its root `it`, its steps `each`, and the table. */
function chainOf(expression: unknown): { root: string; steps: readonly string[]; table: Node | null } {
  const steps: string[] = []
  let table: Node | null = null
  let node = isNode(expression) ? expression : null
  while (node !== null && node.type !== 'Identifier') {
    const next: unknown =
      node.type === 'CallExpression' ? node['callee'] : node.type === 'MemberExpression' ? node['object'] : null
    if (node.type === 'MemberExpression') steps.push(nameOf(node['property']) ?? '')
    const callee = node['callee']
    if (isNode(callee) && callee.type === 'MemberExpression' && ['each', 'for'].includes(nameOf(callee['property']) ?? '')) {
      const [first] = node['arguments'] as readonly Node[]
      table = first ?? null
    }
    node = isNode(next) ? next : null
  }
  return { root: nameOf(node) ?? '', steps, table }
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

const nameOf = (node: unknown): string | null => (isNode(node) && typeof node['name'] === 'string' ? node['name'] : null)

/** The array under `as const` and `satisfies`. */
function arrayOf(node: unknown): Node | null {
  if (!isNode(node)) return null
  if (node.type === 'ArrayExpression') return node
  return /^TS(As|Satisfies)Expression$/.test(node.type) ? arrayOf(node['expression']) : null
}

const elementsOf = (array: Node): readonly Span[] => (array['elements'] as readonly unknown[]).filter(isNode)

const childrenOf = (node: Node): readonly Node[] => Object.values(node).flat().filter(isNode)

/** Expands `CAM-BID-24..26` to three ids. */
export function idsOf(token: string): readonly string[] {
  const range = /^(.+-)(\d+)\.\.(\d+)$/.exec(token)
  if (range === null) return [token]
  const [, prefix = '', first = '', last = ''] = range
  return Array.from(
    { length: Number(last) - Number(first) + 1 },
    (_, i) => `${prefix}${String(Number(first) + i).padStart(first.length, '0')}`,
  )
}
