/** Prometheus' text format, as far as the client library writes it. */

export type Sample = {
  readonly name: string
  /** Name of the family: a histogram's `_bucket`, `_sum` and `_count` belong to the name before. */
  readonly family: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}
export type Family = { readonly name: string; readonly type: string; readonly help: string }
export type Scrape = { readonly families: ReadonlyMap<string, Family>; readonly samples: readonly Sample[] }

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/
// The client library writes `Nan`, which Prometheus reads as NaN.
const SAMPLE = new RegExp(String.raw`^(${NAME})(?:\{(.*)\})? (Na[nN]|[+-]Inf|-?\d[\d.eE+-]*)$`)

/** Parses a scrape. Throws at the first line that is none of the format, or that belongs to another family than the lines around it. */
export function readScrape(text: string): Scrape {
  if (!text.endsWith('\n')) throw new Error('the last line does not end')
  const families = new Map<string, Family>()
  const samples: Sample[] = []
  const seen = new Set<string>()
  let help: readonly [name: string, text: string] | null = null
  let open: Family | null = null
  for (const line of text.split('\n')) {
    if (line === '') continue
    const described = new RegExp(`^# HELP (${NAME}) (.+)$`).exec(line)
    if (described !== null) {
      help = [described[1] ?? '', described[2] ?? '']
      continue
    }
    const typed = new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram|summary|untyped)$`).exec(line)
    if (typed !== null) {
      const [, name = '', type = ''] = typed
      if (help?.[0] !== name) throw new Error(`no HELP before the TYPE of ${name}`)
      if (families.has(name)) throw new Error(`${name} is there twice`)
      // As `promtool check metrics` asks.
      if (name.endsWith('_total') !== (type === 'counter')) throw new Error(`${name} is a ${type}`)
      open = { name, type, help: help[1] }
      families.set(name, open)
      continue
    }
    const [, name = '', labelled = '', value = ''] = SAMPLE.exec(line) ?? []
    if (name === '') throw new Error(`not of the format: ${line}`)
    if (open === null || !isOf(open, name)) throw new Error(`${name} does not follow its TYPE`)
    const labels = readLabels(labelled)
    const series = JSON.stringify([
      name,
      ...Object.keys(labels)
        .toSorted()
        .map((label) => [label, labels[label]]),
    ])
    if (seen.has(series)) throw new Error(`a series is there twice: ${line}`)
    seen.add(series)
    samples.push({ name, family: open.name, labels, value: Number(value.replace('Inf', 'Infinity')) })
  }
  return { families, samples }
}

function isOf({ name, type }: Family, sample: string): boolean {
  if (sample === name) return type !== 'histogram'
  const parts = type === 'histogram' ? ['_bucket', '_sum', '_count'] : type === 'summary' ? ['_sum', '_count'] : []
  return parts.some((part) => sample === name + part)
}

function readLabels(text: string): Readonly<Record<string, string>> {
  const labels: Record<string, string> = {}
  for (let rest = text; rest !== '';) {
    const [whole = '', name = '', value = ''] = LABEL.exec(rest) ?? []
    if (whole === '') throw new Error(`not labels: ${text}`)
    if (name in labels) throw new Error(`a label is there twice: ${text}`)
    labels[name] = value
    rest = rest.slice(whole.length)
  }
  return labels
}

/** A matcher of a query, such as `status=~"5.."`. */
export type Matcher = { readonly metric: string; readonly label: string; readonly operator: string; readonly value: string }
export type Query = { readonly metrics: readonly string[]; readonly matchers: readonly Matcher[] }

/** The metrics that a query in PromQL reads, and how it selects their series. */
export function readQuery(query: string): Query {
  const matchers: Matcher[] = []
  const bare = query
    .replaceAll(new RegExp(String.raw`(${NAME})\{([^}]*)\}`, 'g'), (_, metric: string, inner: string) => {
      for (const [, label = '', operator = '', value = ''] of inner.matchAll(/(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g))
        matchers.push({ metric, label, operator, value })
      return metric
    })
    .replaceAll(/\[[^\]]*\]/g, '')
    .replaceAll(/\b(by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g, ' ')
    .replaceAll(/"[^"]*"/g, '')
    .replaceAll(new RegExp(String.raw`${NAME}\s*\(`, 'g'), '(')
    .replaceAll(/\b(and|or|unless|bool|offset|Inf|NaN)\b/g, ' ')
    .replaceAll(/(?<![\w:])\d[\w.]*/g, ' ')
  return { metrics: [...new Set(bare.match(new RegExp(NAME, 'g')))], matchers }
}
