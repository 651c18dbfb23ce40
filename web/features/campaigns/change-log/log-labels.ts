import type { LogEntry } from '#contract/audit'
import { isErasedMark } from '#domain/kit/personal'
import { lookUp } from '@/i18n/look-up'
import { ownFieldLabel } from '../form/field-label.ts'
import { FORM_PATHS } from '../form/slices/slices.ts'
import { toDrafts } from '../form/tabs/bidding/draft.ts'
import type { State } from './field-changes.ts'
import type { LogGroup } from './log-fields.ts'
import { fieldAround, plainPath } from './log-lookup.ts'
import { isObject } from './values.ts'

/** The text of the log for a field, or its label in the form. */
function named(path: string): string | null {
  const field = FORM_PATHS.get(path)
  return lookUp(`log:fields.${path.replaceAll('.', '__')}`) ?? (field === undefined ? null : ownFieldLabel(field))
}

/** Returns the label of a changed path: its field and what follows it. Element ids are omitted. */
export function pathLabel(path: string): string {
  const field = fieldAround(path)
  if (field === null) return named(plainPath(path)) ?? path
  const label = named(field.path) ?? field.path
  const rest = plainPath(path)
    .slice(field.path.length + 1)
    .split('.')
  if (field.path === 'exchange_decisions') return decisionLabel(label, rest)
  return rest[0] === '' ? label : `${label}: ${rest.join('.')}`
}

/** "Decision of the exchange: Google AdX, deals". The creative is the element of the change. */
function decisionLabel(label: string, [exchange = '', , part]: readonly string[]): string {
  if (exchange === '') return label
  const about = part === undefined ? null : lookUp(`log:compliance.${part}`)
  return `${label}: ${lookUp(`administration:exchange.${exchange}`) ?? exchange}${about === null ? '' : `, ${about}`}`
}

export const groupLabel = (group: LogGroup | null): string => {
  if (group === null) return lookUp('log:groups.other') ?? ''
  if (group === 'state') return lookUp('log:groups.state') ?? ''
  return lookUp(`form:tabs.${group === 'basicInfo' ? 'setup' : group === 'administration' ? 'ownerFields' : group}`) ?? group
}

/** Returns the author's name. Authors that are not users have a translated name. */
export const authorName = ({ author, author_id }: Pick<LogEntry, 'author' | 'author_id'>): string =>
  author_id === null ? (lookUp(`log:author.${author}`) ?? author) : author

export const sourceName = (source: string): string => lookUp(`log:source.${source}`) ?? source

/** Returns the events of an entry as text, each kind once. */
export const eventsText = (events: readonly string[]): readonly string[] =>
  [...new Set(events)].map((event) => lookUp(`log:event.${event}`) ?? event)

/** True when a value contains the marker of erased data. */
export const holdsErased = (value: unknown): boolean =>
  typeof value === 'string' ? isErasedMark(value) : Array.isArray(value) && value.some(holdsErased)

export type ElementName = (path: string) => string | null

/** Returns the name of the list element or creative that a path refers to; null without one, or when no state contains it. */
export function elementNames(states: readonly (State | null | undefined)[]): ElementName {
  const lists = new Map<string | undefined, ReadonlyMap<string, string>>()
  const namesIn = (list: string | undefined) => {
    const known = lists.get(list)
    if (known !== undefined) return known
    const elements = states
      .filter(isObject)
      .flatMap((state) => (list === undefined ? creativesIn(state) : elementsIn(state, list)))
    // The first state that contains an element determines its name.
    const names = new Map(elements.toReversed().flatMap((each) => namedElement(each)))
    lists.set(list, names)
    return names
  }
  return (path) => {
    const [, list, inList] = /^([^[]*)\[([^\]]*)\]/.exec(path) ?? []
    const [top, , creative] = path.split('.')
    const id = inList ?? (top === 'exchange_decisions' ? creative : undefined)
    return id === undefined ? null : (namesIn(list).get(id) ?? null)
  }
}

const namedElement = (element: State): readonly (readonly [string, string])[] => {
  const name = nameOf(element)
  return name === null ? [] : [[identityOf(element), name]]
}

const identityOf = (element: State) => String(element['id'] ?? element['index'])

function nameOf({ creative_name, name, width, height, index }: State): string | null {
  if (typeof creative_name === 'string' && creative_name !== '') return creative_name
  if (typeof name === 'string' && name !== '') return name
  if (typeof width === 'number' && typeof height === 'number') return `${width} × ${height}`
  return typeof index === 'number' ? String(index + 1) : null
}

function elementsIn(state: State, list: string): readonly State[] {
  const [key = '', inner] = list.split('.')
  const top = state[key]
  if (key === 'traffic_targeting' && typeof top === 'string') return toDrafts(top)
  const found = inner !== undefined && isObject(top) ? top[inner] : top
  return Array.isArray(found) ? found.filter(isObject) : []
}

const creativesIn = (state: State): readonly State[] => [
  ...['dynamic_ad', 'native_ad', 'video_ad'].flatMap((key) => (isObject(state[key]) ? [state[key]] : [])),
  ...elementsIn(state, 'audio_ads'),
  ...elementsIn(state, 'visuals.banners'),
]
