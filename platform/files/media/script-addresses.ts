import { isLoadable, type Addresses } from './addresses.ts'

/** The beginning of a string that is an address of another host; in JSON its slashes may be escaped. */
const LITERAL = /["'`]\s{0,20}((?:(?:https?|wss?):)?(?:\\?\/){2}(?:[^\s"'`<>\\]|\\\/){0,500})/gi
/** Characters in front of a string that say what it is for. */
const CONTEXT = 200

const MEMBER = String.raw`(?:[\w$]{1,60}\s{0,9}\.\s{0,9}){0,4}([\w$]{1,60})`
const LOCATION = String.raw`\blocation(?:\.href|\[["']href["']\])?`
/** Variables that a click opens. */
const OPENED = [
  new RegExp(String.raw`\b(?:open|location\.(?:assign|replace))\s{0,9}\(\s{0,9}${MEMBER}`, 'g'),
  new RegExp(String.raw`${LOCATION}\s{0,9}=\s{0,9}${MEMBER}`, 'g'),
]
const MOST_NAMES = 100
/** Names in which a banner gets the campaign's address; what it sets itself is for tests alone. */
const CLICK_NAME = /^click_?tag\d*$/i

/** Text in front of the address of a click. `exit("name", "https:…")` is that of Google's tools. */
const OPENS = [
  /\bopen\s*\($/,
  /\blocation\s*\.\s*(?:assign|replace)\s*\($/,
  /\bexit\w{0,20}\s*\((?:\s*["'][^"']{0,80}["']\s*,){0,3}$/,
  /\bnavigate\w{0,20}\s*\($/,
  new RegExp(String.raw`${LOCATION}\s*=$`),
]
const REFERENCE = [/\bhref["'\]]*\s*[=:]$/, /\bsetAttribute\(\s*["'](?:xlink:)?href["']\s*,$/]
/** Text in front of the address of a part. */
const LOADS = [
  /\b(?:src|srcset|poster)["'\]]*\s*[=:]$/,
  /\bsetAttribute\(\s*["'](?:src|srcset|poster|data)["']\s*,$/,
  /\b(?:import\s*\(?|from)$/,
  /\b(?:fetch|importScripts|sendBeacon|Worker|WebSocket|EventSource|Image|Audio|getScript|getJSON|loadScript|loadFile)\s*\($/,
  /\bopen\(\s*["'](?:GET|POST|HEAD)["']\s*,$/i,
]

/**
 * Finds where the scripts of a banner lead and what they load, by their strings and what stands in front of each. Linear for any text:
 * what is read in front of a string is bounded.
 */
export function addressesInScript(text: string, found: Addresses): void {
  let names: ReadonlySet<string> | null = null
  for (const { 1: written = '', index } of text.matchAll(LITERAL)) {
    const address = written.replaceAll('\\/', '/')
    // The quotes of a string within a string are escaped.
    const before = text
      .slice(Math.max(0, index - CONTEXT), index)
      .replace(/\\{1,9}$/, '')
      .trimEnd()
    const is = (contexts: readonly RegExp[]): boolean => contexts.some((context) => context.test(before))
    if (!/[(=:,]$|\b(?:import|from)$/.test(before)) {
      if (isLoadable(address)) found.load(address)
    } else if (is(LOADS)) found.load(address)
    else if (is(OPENS)) found.link()
    else if (isLoadable(address)) found.load(address)
    else if (is(REFERENCE)) found.link()
    else {
      names ??= openedNames(text)
      if (names.has(/([\w$]{1,60})["']?\s*[=:]$/.exec(before)?.[1] ?? '')) found.link()
    }
  }
}

function openedNames(text: string): ReadonlySet<string> {
  const names = new Set<string>()
  for (const opened of OPENED)
    for (const [, name = ''] of text.matchAll(opened)) if (!CLICK_NAME.test(name) && names.size < MOST_NAMES) names.add(name)
  return names
}
