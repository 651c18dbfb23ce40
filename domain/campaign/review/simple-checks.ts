import { isObject, type Json } from '#domain/kit/json-changes'
import type { CampaignContent } from '../content/content.ts'
import { creativesOf } from '../content/creatives.ts'
import { bannedIn, foldedWord } from './banned-words.ts'
import { followedAddresses, type AddressFault } from './followed-addresses.ts'
import { hostOf, isIpHost, isLookAlike, isSameSite } from './host-names.ts'

/** Simple checks of a submission, from which a decision is suggested and never made (fine print 104). */

/** The checks, each with the policy topic that it is about. */
export const CHECKS = {
  dead_address: 'addresses',
  not_https: 'addresses',
  other_host: 'addresses',
  ip_host: 'addresses',
  lookalike_host: 'addresses',
  banned_word: 'words',
  capitals: 'style',
  punctuation: 'style',
  hidden_text: 'hidden',
} as const
export type Check = keyof typeof CHECKS
export type Topic = (typeof CHECKS)[Check]

/** Names of a white-label for the policy of its canned reasons, in any language, for the suggestion to pick them. */
export const TOPIC_NAMES: Readonly<Record<Topic, readonly string[]>> = {
  addresses: ['Addresses', 'Адреса'],
  words: ['Banned words', 'Запрещённые слова'],
  style: ['Style', 'Оформление'],
  hidden: ['Hidden text', 'Скрытый текст'],
}

export type Finding = {
  readonly check: Check
  readonly topic: Topic
  /** The place in the content, as faults name it. */
  readonly path: string
  /** The address, the text or its beginning, or the banned word. */
  readonly value: string
  /** Why a dead address is one; null for other checks. */
  readonly fault: AddressFault | null
}
export type Findings = {
  /** The most important ones, in the order of the checks and the content; at most 100. */
  readonly shown: readonly Finding[]
  readonly total: number
}

/** Findings in an answer, and characters of a value. */
export const FINDING_LIMITS = { shown: 100, value: 200 } as const

/** The reviewed fields, and the owner's address of impressions and scripts. */
export type Checked = Pick<
  CampaignContent,
  | 'product_url'
  | 'bidding_strategy'
  | 'impression_url'
  | 'custom_html'
  | 'dynamic_ad'
  | 'native_ad'
  | 'video_ad'
  | 'audio_ads'
  | 'visuals'
>
type Place = { readonly path: string; readonly value: string }

/**
 * Findings of the checks, with the banned words of the white-label and the addresses that are known to be dead. Never throws;
 * linear in the size of the content for each word.
 */
export function findingsIn(
  content: CampaignContent,
  bannedWords: readonly string[],
  dead: ReadonlyMap<string, AddressFault> = new Map(),
): Findings {
  const addresses = addressesIn(content)
  const clicks = addresses.filter(({ path }) => path.endsWith('.click_url'))
  const texts = creativesOf(content).flatMap(({ path, material }) => textsIn(material, path))
  const landing = hostOf(content.product_url ?? '')
  const hosts = clicks.flatMap((place) => {
    const host = hostOf(place.value)
    return host === null ? [] : [{ ...place, host }]
  })
  const all = [
    ...followedAddresses(content).flatMap((place) => {
      const fault = dead.get(place.value)
      return fault === undefined ? [] : [findingOf('dead_address', place, fault)]
    }),
    ...found(
      'not_https',
      [...addresses, ...insecureIn(content.custom_html)].filter(({ value }) => /^\s*http:/i.test(value)),
    ),
    ...found(
      'ip_host',
      hosts.filter(({ host }) => isIpHost(host)),
    ),
    ...found(
      'lookalike_host',
      hosts.filter(({ host }) => !isIpHost(host) && isLookAlike(host)),
    ),
    ...found(
      'other_host',
      hosts.filter(({ host }) => landing !== null && !isSameSite(host, landing)),
    ),
    ...texts.flatMap(({ path, value }) =>
      bannedIn(value, bannedWords).map((word) => findingOf('banned_word', { path, value: word })),
    ),
    ...found(
      'hidden_text',
      [...addresses, ...texts].filter(({ value }) => BIDI.test(value)),
    ),
    ...found(
      'capitals',
      texts.filter(({ value }) => isShouted(value)),
    ),
    ...found(
      'punctuation',
      texts.filter(({ value }) => REPEATED.test(value.normalize('NFKC'))),
    ),
  ]
  return { shown: all.slice(0, FINDING_LIMITS.shown), total: all.length }
}

/** Places in `reasons` of the canned reasons whose policy is a topic of the findings. */
export function suggestedReasons(findings: Findings, reasons: readonly { readonly topic: string }[]): readonly number[] {
  const names = new Set(findings.shown.flatMap(({ topic }) => TOPIC_NAMES[topic].map(foldedWord)))
  return reasons.flatMap(({ topic }, i) => (names.has(foldedWord(topic)) ? [i] : []))
}

const findingOf = (check: Check, { path, value }: Place, fault: AddressFault | null = null): Finding => ({
  check,
  topic: CHECKS[check],
  path,
  value: [...value].slice(0, FINDING_LIMITS.value).join(''),
  fault,
})
const found = (check: Check, places: readonly Place[]): readonly Finding[] => places.map((place) => findingOf(check, place))

/** Embeddings, overrides and isolates: they change what a reader sees. The marks of Arabic and Hebrew texts are no finding. */
const BIDI = /[\u202a-\u202e\u2066-\u2069]/
const REPEATED = /[!?]{2,}|([,;:*$#])\1{2,}|\.{4,}/
/** Letters from which on a text in capitals is no abbreviation. */
const SHOUTED = 8

function isShouted(text: string): boolean {
  const letters = text.normalize('NFKC').match(/\p{Lu}|\p{Ll}|\p{Lt}/gu) ?? []
  return letters.length >= SHOUTED && letters.every((letter) => /\p{Lu}/u.test(letter))
}

function addressesIn({ product_url, bidding_strategy, impression_url }: Checked): readonly Place[] {
  const { click_url, website_promotion, app_promotion } = bidding_strategy
  const places: readonly (readonly [path: string, value: string | null])[] = [
    ['product_url', product_url],
    ['bidding_strategy.click_url', click_url],
    ['bidding_strategy.app_promotion.click_url', app_promotion.click_url],
    ['bidding_strategy.app_promotion.tracking_url', app_promotion.tracking_url],
    ['bidding_strategy.website_promotion.conversion_url', website_promotion.conversion_url],
    ['impression_url', impression_url],
  ]
  return places.flatMap(([path, value]) => (value === null || value === '' ? [] : [{ path, value }]))
}

/** Addresses without https in the markup of the owner. */
const insecureIn = (html: string | null): readonly Place[] =>
  (html?.match(/\bhttp:\/\/[^\s"'<>]+/gi) ?? []).map((value) => ({ path: 'custom_html', value }))

/** Keys of creatives that hold what a reader sees. */
const TEXTS: ReadonlySet<string> = new Set([
  'headline',
  'long_headline',
  'body',
  'advertiser',
  'company_name',
  'call_to_action',
  'cta',
  'value',
])

function textsIn(material: Json, path: string): readonly Place[] {
  if (Array.isArray(material)) return material.flatMap((part: Json, i) => textsIn(part, `${path}[${i}]`))
  if (!isObject(material)) return []
  return Object.entries(material).flatMap(([key, part]) => {
    if (typeof part === 'string') return TEXTS.has(key) && part !== '' ? [{ path: `${path}.${key}`, value: part }] : []
    return textsIn(part, `${path}.${key}`)
  })
}
