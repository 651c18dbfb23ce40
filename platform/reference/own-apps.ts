import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { appCategories } from './dictionaries.ts'

export type AppPlatform = 'android' | 'ios'

export type App = {
  /** Words in small letters joined by hyphens. */
  readonly id: string
  readonly name: string
  readonly publisher: string
  /** Key of a store category. */
  readonly category: string
  readonly android: string | null
  readonly ios: string | null
  /** '0' when free. */
  readonly price: string
} & StorePage

/** What the store says of an application, as far as the operator's file has it. */
type StorePage = {
  /** An https address, or an image as a data: URL. */
  readonly app_icon?: string | undefined
  readonly body?: string | undefined
  /** 0 to 5. */
  readonly star_rating?: number | undefined
  readonly call_to_action?: string | undefined
  readonly min_os_version?: { readonly [platform in AppPlatform]?: string | undefined } | undefined
}

/** An Android package: words that begin with a letter, at least two. */
export const ANDROID_PACKAGE = /^[A-Za-z]\w*(\.[A-Za-z]\w*)+$/
/** An iOS bundle: words of letters, digits and hyphens, at least two. */
export const IOS_BUNDLE = /^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/
export const APP_ID = /^[a-z0-9]+(-[a-z0-9]+)*$/
export const PRICE = /^(0|[1-9]\d*)(\.\d{1,2})?$/

const CATEGORIES: ReadonlySet<string> = new Set(
  (['app', 'game'] as const).flatMap((type) => appCategories(type, 'en_US').items.map(({ category_id }) => category_id)),
)

const ICON = /^(https:\/\/[^\s/]+\/\S*|data:image\/(png|jpeg|webp);base64,[\w+/]+=*)$/
const version = z.string().regex(/^\d+(\.\d+){0,2}$/, "a version such as '8' or '15.1'")

/** The fields of a store's page are optional: an app without them is promoted with null in their place. */
const ownApp = z
  .strictObject({
    id: z.string().regex(APP_ID, 'words in small letters joined by hyphens'),
    name: z.string().trim().min(1).max(200),
    publisher: z.string().trim().min(1).max(200),
    category: z.string().refine((key) => CATEGORIES.has(key), 'no such store category'),
    android: z.string().regex(ANDROID_PACKAGE, 'not an Android package').nullable(),
    ios: z.string().regex(IOS_BUNDLE, 'not an iOS bundle').nullable(),
    price: z.string().regex(PRICE, "a price such as '0' or '4.99'"),
    app_icon: z.string().max(100_000).regex(ICON, 'neither an https address nor an image as a data: URL').optional(),
    body: z.string().trim().min(1).max(4000).optional(),
    star_rating: z.number().min(0).max(5).optional(),
    call_to_action: z.string().trim().min(1).max(30).optional(),
    min_os_version: z.strictObject({ android: version.optional(), ios: version.optional() }).optional(),
  })
  .refine(({ android, ios }) => android !== null || ios !== null, { path: ['android'], message: 'android or ios must be given' })

function parsed(file: string): unknown {
  const text = readFileSync(file, 'utf8')
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`${file} is not JSON`, { cause: error })
  }
}

function refuseRepeated(file: string, apps: readonly App[], field: 'id' | 'android' | 'ios'): void {
  const first = new Map<string, number>()
  for (const [index, app] of apps.entries()) {
    const value = field === 'ios' ? app.ios?.toLowerCase() : app[field]
    if (value === null || value === undefined) continue
    const before = first.get(value)
    if (before !== undefined) throw new Error(`${file}: [${index}].${field}: repeats that of [${before}]`)
    first.set(value, index)
  }
}

/** Applications of the operator's file; the error of a bad one names every entry and field that is wrong. */
export function readOwnApps(file: string): readonly App[] {
  const result = z.array(ownApp).safeParse(parsed(file))
  if (!result.success) {
    const faults = result.error.issues.map(({ path: [index, ...field], message }) =>
      index === undefined
        ? message
        : `[${String(index)}]${field.length === 0 ? '' : `.${field.map(String).join('.')}`}: ${message}`,
    )
    throw new Error(`${file}: ${faults.join('; ')}`)
  }
  for (const field of ['id', 'android', 'ios'] as const) refuseRepeated(file, result.data, field)
  return result.data
}
