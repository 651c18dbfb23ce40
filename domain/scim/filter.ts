import { FILTER_DEPTH, FILTER_LENGTH } from './limits.ts'

/** Filters of SCIM 2.0 (RFC 7644 section 3.4.2.2), evaluated on a resource as its answer shows it (fine print 85). */

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

const COMPARISONS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const
type Comparison = (typeof COMPARISONS)[number]
type Value = string | number | boolean | null

/** Paths are lower case. A `where` applies its filter to each value of a complex attribute. */
export type Filter =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Filter[] }
  | { readonly kind: 'not'; readonly part: Filter }
  | { readonly kind: 'present'; readonly path: string }
  | { readonly kind: 'where'; readonly path: string; readonly part: Filter }
  | { readonly kind: 'compare'; readonly path: string; readonly by: Comparison; readonly value: Value }

const TOKEN = /\s*(?:("(?:[^"\\]|\\.)*")|([()[\]])|([^\s()[\]"]+))/y

/** The tokens of a text; null where it has something else. */
function tokensOf(text: string): readonly string[] | null {
  const tokens: string[] = []
  const whole = text.trim()
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < whole.length) {
    const found = TOKEN.exec(whole)
    if (found === null) return null
    tokens.push(found[1] ?? found[2] ?? found[3] ?? '')
  }
  return tokens
}

/** The filter of a text; null for one that the grammar does not allow, or that is too long or too deep. */
export function parseFilter(text: string): Filter | null {
  const tokens = text.length > FILTER_LENGTH ? null : tokensOf(text)
  if (tokens === null) return null
  let at = 0
  const isNext = (word: string): boolean => tokens[at]?.toLowerCase() === word
  function took(word: string): boolean {
    if (!isNext(word)) return false
    at += 1
    return true
  }

  /** One or more parts between the same operator: `and` binds closer than `or`. */
  function chain(kind: 'and' | 'or', depth: number): Filter | null {
    const parts: Filter[] = []
    do {
      const part = kind === 'or' ? chain('and', depth) : single(depth)
      if (part === null) return null
      parts.push(part)
    } while (took(kind))
    const [first, ...others] = parts
    return first !== undefined && others.length === 0 ? first : { kind, parts }
  }

  function bracketed(close: ')' | ']', depth: number): Filter | null {
    const inner = depth >= FILTER_DEPTH ? null : chain('or', depth + 1)
    return took(close) ? inner : null
  }

  function single(depth: number): Filter | null {
    if (took('(')) return bracketed(')', depth)
    if (isNext('not') && tokens?.[at + 1] === '(') {
      at += 2
      const part = bracketed(')', depth)
      return part === null ? null : { kind: 'not', part }
    }
    const path = attributePath(tokens?.[at] ?? '')
    at += 1
    if (path === null) return null
    if (took('[')) {
      const part = bracketed(']', depth)
      return part === null ? null : { kind: 'where', path, part }
    }
    if (took('pr')) return { kind: 'present', path }
    const by = COMPARISONS.find(took)
    const value = by === undefined ? undefined : valueOf(tokens?.[at] ?? '')
    at += 1
    return by === undefined || value === undefined || !suits(by, value) ? null : { kind: 'compare', path, by, value }
  }

  const filter = chain('or', 0)
  return at === tokens.length ? filter : null
}

/** Schemas whose attributes may be named with them: `urn:…:User:userName`. */
const CORE = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/
const PATH = /^[a-z$][\w$-]*(\.[a-z$][\w$-]*)?$/
/** Attributes of extensions, which no resource here has. */
const EXTENDED = /^urn:[\w.:$-]+$/

/** An attribute's path in lower case, without the schema of users and groups; null for what is none. */
export function attributePath(text: string): string | null {
  const path = text.toLowerCase().replace(CORE, '')
  return PATH.test(path) || EXTENDED.test(path) ? path : null
}

/** The JSON value of a token; undefined for what is none. */
function valueOf(token: string): Value | undefined {
  if (!/^("|-?\d|true$|false$|null$)/.test(token)) return undefined
  try {
    return JSON.parse(token) as Value
  } catch {
    return undefined
  }
}

/** Only texts have parts, and only texts and numbers an order. */
function suits(by: Comparison, value: Value): boolean {
  if (by === 'eq' || by === 'ne') return true
  return typeof value === 'string' || (typeof value === 'number' && !['co', 'sw', 'ew'].includes(by))
}

/** Attributes whose texts differ by case. Names and addresses do not. */
const CASE_EXACT: ReadonlySet<string> = new Set(['id', 'externalid', 'members.value', 'groups.value', 'meta.location'])
const INSTANTS: ReadonlySet<string> = new Set(['meta.created', 'meta.lastmodified'])

/** Whether a resource fulfils a filter. An attribute without a value fulfils `ne` and `eq null` alone. */
export function matches(filter: Filter, resource: Json, within = ''): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.parts.every((part) => matches(part, resource, within))
    case 'or':
      return filter.parts.some((part) => matches(part, resource, within))
    case 'not':
      return !matches(filter.part, resource, within)
    case 'present':
      return valuesAt(resource, filter.path).length > 0
    case 'where':
      return complexAt(resource, filter.path).some((one) => matches(filter.part, one, `${within}${filter.path}.`))
    case 'compare': {
      const path = `${within}${filter.path}`
      const values = valuesAt(resource, filter.path)
      if (filter.by === 'ne') return !isAnyEqual(values, filter.value, path)
      if (filter.by === 'eq') return isAnyEqual(values, filter.value, path)
      const { by, value } = filter
      return values.some((one) => compares(by, one, value, path))
    }
  }
}

const isAnyEqual = (values: readonly Value[], wanted: Value, path: string): boolean =>
  wanted === null ? values.length === 0 : values.some((one) => compares('eq', one, wanted, path))

function compares(by: Comparison, actual: Value, wanted: Value, path: string): boolean {
  if (typeof actual !== typeof wanted) return false
  const [a, b] = [comparable(actual, path), comparable(wanted, path)]
  switch (by) {
    case 'eq':
      return a === b
    case 'ne':
      return a !== b
    case 'co':
      return String(a).includes(String(b))
    case 'sw':
      return String(a).startsWith(String(b))
    case 'ew':
      return String(a).endsWith(String(b))
    case 'gt':
      return a > b
    case 'ge':
      return a >= b
    case 'lt':
      return a < b
    case 'le':
      return a <= b
  }
}

function comparable(value: Value, path: string): string | number {
  if (typeof value === 'number') return value
  const text = String(value)
  if (INSTANTS.has(path)) return Date.parse(text)
  return CASE_EXACT.has(path) || CASE_EXACT.has(`${path}.value`) ? text : text.toLowerCase()
}

/** The value of an attribute, whatever the case of its name. */
function inside(value: Json, name: string): Json {
  if (typeof value !== 'object' || value === null || isList(value)) return null
  return Object.entries(value).find(([key]) => key.toLowerCase() === name)?.[1] ?? null
}
const isList = (value: Json): value is readonly Json[] => Array.isArray(value)
const listed = (value: Json): readonly Json[] => (isList(value) ? value : value === null ? [] : [value])

/** The values of a complex attribute. */
const complexAt = (resource: Json, path: string): readonly Json[] =>
  path.split('.').reduce<readonly Json[]>((found, step) => found.flatMap((one) => listed(inside(one, step))), [resource])

/** The plain values at a path; those of a complex attribute are its `value`. */
function valuesAt(resource: Json, path: string): readonly Value[] {
  // An extension's name has dots of its own, and no resource here has one.
  if (path.startsWith('urn:')) return []
  return complexAt(resource, path)
    .map((one) => (typeof one === 'object' ? inside(one, 'value') : one))
    .filter((one): one is string | number | boolean => one !== null && typeof one !== 'object' && one !== '')
}
