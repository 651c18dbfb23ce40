import { APPS } from './data-apps.ts'
import { readOwnApps, type App, type AppPlatform } from './own-apps.ts'

export type AppCatalogue = {
  readonly apps: readonly App[]
  /** The application of a bundle id; null when the catalogue has none. */
  readonly findApp: (platform: AppPlatform, bundleId: string) => App | null
  /** Applications whose name or bundle id contains the text: those whose name begins with it first, then by name. */
  readonly searchApps: (text: string) => readonly App[]
}

const FOUND_AT_MOST = 50

/** Widely known applications that every installation has. */
export const appCatalogue: readonly App[] = APPS.map(([id, name, publisher, category, android, ios, price = '0']) => ({
  id,
  name,
  publisher,
  category,
  android,
  ios,
  price,
}))

const collator = new Intl.Collator('en')

/** Android ids are case-sensitive, App Store ids are not. */
const keyOf = (platform: AppPlatform, bundleId: string): string =>
  platform === 'ios' ? `ios ${bundleId.toLowerCase()}` : `android ${bundleId}`

/** 0 when the name or a bundle id begins with the text, 1 when one contains it, null when none does. */
function rank(app: App, text: string): 0 | 1 | null {
  const places = [app.name, app.android, app.ios].map((field) => field?.toLowerCase().indexOf(text) ?? -1)
  if (places.includes(0)) return 0
  return places.some((place) => place > 0) ? 1 : null
}

/** The built-in catalogue together with the operator's own file, whose entry replaces a built-in one of the same id. */
export function createAppCatalogue({ file }: { readonly file: string | null }): AppCatalogue {
  const own = file === null ? [] : readOwnApps(file)
  const ownIds = new Set(own.map(({ id }) => id))
  const apps = [...appCatalogue.filter(({ id }) => !ownIds.has(id)), ...own]
  // The operator's come last, so they win a bundle id as well.
  const byBundle = new Map<string, App>()
  for (const app of apps) {
    if (app.android !== null) byBundle.set(keyOf('android', app.android), app)
    if (app.ios !== null) byBundle.set(keyOf('ios', app.ios), app)
  }
  return {
    apps,
    findApp: (platform, bundleId) => byBundle.get(keyOf(platform, bundleId)) ?? null,
    searchApps(text) {
      const wanted = text.trim().toLowerCase()
      if (wanted === '') return []
      return apps
        .flatMap((app) => {
          const order = rank(app, wanted)
          return order === null ? [] : [{ app, order }]
        })
        .sort((a, b) => a.order - b.order || collator.compare(a.app.name, b.app.name))
        .slice(0, FOUND_AT_MOST)
        .map(({ app }) => app)
    },
  }
}
