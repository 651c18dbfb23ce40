import { parseSync } from 'vite'

/** How a spec depends on real time: a fixed wait, an upper bound on the clock, a timeout that a busy machine meets, or the date read when the file loads. */
export type RealTime = { readonly kind: 'wait' | 'bound' | 'short' | 'limit' | 'load'; readonly line: number }

type Node = { readonly type: string; readonly start: number; readonly end: number; readonly [key: string]: unknown }

/** Shorter waits only let others run. */
const SHORTEST_WAIT_MS = 50
/** Timeout for work that a quiet machine does at once, and a busy one in seconds. */
const LEAST_TIMEOUT_MS = 20_000
/** Limit of every test, as the configuration has it. */
const LEAST_LIMIT_MS = 240_000
const TIMEOUT = /^\{ timeout: (\w+)\b/
const WAITS = /^(setTimeout|delay|sleep|pause|waitForTimeout)$/
const UPPER = /^toBeLessThan(OrEqual)?$/
const NOW = /\b(Date|performance)\.now\(\)|\bhrtime\b/
/** It measures the event loop on the clock. */
const LOOP = 'monitorEventLoopDelay'
const DURATION = /\b(Date|performance)\.now\(\) - [a-z]/
const DATE = /\bDate\.now\(\)|\bnew Date\(\)/
/** Functions that these get run while the file loads. */
const AT_ONCE = /^describe\b|\.(map|flatMap|filter|forEach|reduce|from|fromEntries)$/

/** `clocks`: imported functions that read the date. */
export function realTimeIn(file: string, text: string, clocks: readonly string[] = []): readonly RealTime[] {
  if (
    !/\b(setTimeout|delay|sleep|pause|waitForTimeout|wait|waitFor|timeout|toBeLessThan\w*|Date|monitorEventLoopDelay)\b|\d_?000\b/.test(
      text,
    ) &&
    clocks.every((name) => !text.includes(name))
  )
    return []
  const { body, named, source } = parsed(file, text)
  const found: RealTime[] = []
  const report = (kind: RealTime['kind'], node: Node) =>
    void found.push({ kind, line: text.slice(0, node.start).split('\n').length })

  const value = (written: string): number => Number((named.get(written) ?? written).replaceAll('_', ''))
  const durations = [...named].filter(([, init]) => DURATION.test(init)).map(([name]) => name)
  const measures = new RegExp(`\\b(${durations.map((name) => name.replace(/\W/g, '\\$&')).join('|') || '(?!)'})\\b`)
  /** Names that are imported under another one. */
  const renamed = new Map(
    [...nodesIn(body)].flatMap((node): [string, string][] =>
      node.type === 'ImportSpecifier' && source(node['imported']) !== source(node['local'])
        ? [[source(node['local']), source(node['imported'])]]
        : [],
    ),
  )
  for (const statement of body) {
    const isStepped = source(statement).includes('useFakeTimers(')
    for (const { node, callee, args } of callsIn(statement, source)) {
      const last = callee.split('.').at(-1) ?? ''
      const called = renamed.get(last) ?? last
      if (callee === 'Atomics.wait') report('wait', node)
      if (WAITS.test(called)) {
        const [first = '', second] = args
        const isTimer = called === 'setTimeout' && !/^[\d_]+$/.test(first)
        // Work that a timer starts, or that is stepped, is no wait.
        const isWait = !isTimer || (second !== undefined && !isStepped && /^\w+$|^\(\) => \w+\(.*\)$/.test(first))
        if (isWait && !(value(isTimer ? (second ?? '') : first) < SHORTEST_WAIT_MS)) report('wait', node)
      }
      const timeout = args.map((arg) => TIMEOUT.exec(named.get(arg) ?? arg)?.[1]).find((ms) => ms !== undefined)
      // Without a limit it has one of a second.
      const isHasty = timeout === undefined ? callee === 'vi.waitFor' && args.length === 1 : value(timeout) < LEAST_TIMEOUT_MS
      if (isHasty) report('short', node)
      const limit = timeout ?? args.at(-1) ?? ''
      const isLimited = /^(it|test|describe)\b/.test(callee) && /^[\d_]+$/.test(named.get(limit) ?? limit)
      if (isLimited && value(limit) < LEAST_LIMIT_MS) report('limit', node)
      if (called === LOOP) report('bound', node)
      const measured = /^expect\(([^]*)\)\.\w+$/.exec(callee)?.[1] ?? ''
      if (UPPER.test(called) && (NOW.test(measured) || measures.test(measured))) report('bound', node)
    }
  }

  const imported = new Set([...nodesIn(body)].filter(({ type }) => type === 'ImportSpecifier').map(({ local }) => source(local)))
  const readers = new Set([...clocks.filter((name) => imported.has(name)), ...clocksIn(file, text), 'Date.now', 'new Date'])
  function atLoad(node: unknown): void {
    if (Array.isArray(node)) return node.forEach(atLoad)
    if (!isNode(node) || /Function/.test(node.type)) return
    if (/^(Call|New)Expression$/.test(node.type)) {
      const args = node['arguments'] as readonly Node[]
      const callee = `${node.type === 'NewExpression' ? 'new ' : ''}${source(node['callee'])}`
      if (readers.has(callee) && (callee !== 'new Date' || args.length === 0)) report('load', node)
      for (const arg of args) atLoad(/Function/.test(arg.type) && AT_ONCE.test(callee) ? arg['body'] : arg)
    }
    for (const [key, child] of Object.entries(node)) if (key !== 'arguments') atLoad(child)
  }
  atLoad(body)
  return found
}

/** Functions of a file, by name, that read the date. */
export const clocksIn = (file: string, text: string): readonly string[] =>
  !DATE.test(text)
    ? []
    : [...parsed(file, text).named].filter(([, init]) => DATE.test(init) && /^\{|=>/.test(init)).map(([name]) => name)

function parsed(file: string, text: string) {
  const source = (node: unknown): string => (isNode(node) ? text.slice(node.start, node.end) : '')
  const { body } = parseSync(file, text).program as unknown as { readonly body: readonly Node[] }
  /** Variables and functions, as the text says it. */
  const named = new Map<string, string>()
  for (const node of nodesIn(body)) {
    if (node.type === 'VariableDeclarator') named.set(source(node['id']), source(node['init']))
    if (node.type === 'FunctionDeclaration') named.set(source(node['id']), source(node['body']))
    if (node.type === 'AssignmentExpression') named.set(source(node['left']), source(node['right']))
  }
  return { body, named, source }
}

function* callsIn(statement: Node, source: (node: unknown) => string) {
  for (const node of nodesIn(statement))
    if (node.type === 'CallExpression')
      yield { node, callee: source(node['callee']), args: (node['arguments'] as readonly Node[]).map(source) }
}

const isNode = (node: unknown): node is Node => typeof node === 'object' && node !== null && 'type' in node

function* nodesIn(node: unknown): Generator<Node> {
  if (Array.isArray(node)) for (const one of node) yield* nodesIn(one)
  else if (isNode(node)) {
    yield node
    for (const child of Object.values(node)) if (typeof child === 'object') yield* nodesIn(child)
  }
}
