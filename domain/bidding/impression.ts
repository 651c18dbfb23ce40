import { WINDOWS, type FilterKey } from './filters.ts'
import type { Fact, Facts } from './evaluate.ts'

/**
 * The part of an OpenRTB 2.6 bid request that bidding rules use. Values without a place in the standard are in `ext`: the
 * exchange in `ext.exchange`, the user's history in `user.ext` under the filters' own keys (`visits_7d`).
 */
export type BidRequest = {
  readonly imp: readonly Imp[]
  readonly app?: Publisher | undefined
  readonly site?: Publisher | undefined
  readonly device?: Device | undefined
  readonly user?: { readonly ext?: Loose | undefined } | undefined
  readonly ext?: Loose | undefined
}
export type Imp = {
  readonly id: string
  readonly banner?: (Sized & { readonly format?: readonly Sized[] | undefined; readonly pos?: number | undefined }) | undefined
  readonly video?: (Sized & { readonly pos?: number | undefined }) | undefined
  readonly native?: unknown
  readonly instl?: number | undefined
  readonly rwdd?: number | undefined
  readonly bidfloor?: number | undefined
  readonly displaymanager?: string | undefined
}
type Sized = { readonly w?: number | undefined; readonly h?: number | undefined }
type Publisher = {
  readonly id?: string | undefined
  readonly name?: string | undefined
  readonly bundle?: string | undefined
  readonly domain?: string | undefined
  readonly content?: { readonly language?: string | undefined } | undefined
}
type Device = {
  readonly os?: string | undefined
  readonly make?: string | undefined
  readonly model?: string | undefined
  readonly connectiontype?: number | undefined
  readonly ip?: string | undefined
  readonly ipv6?: string | undefined
}
type Loose = { readonly [key: string]: unknown }

/** Values of a request's impression, by filter. Missing values are absent, unless the standard defines a default. */
export function factsOf(request: BidRequest, imp: Imp): Facts {
  const { app, site, device } = request
  const found: { [Key in FilterKey]?: Fact | null | undefined } = {
    app: named(app?.bundle, app?.id, app?.name),
    site: named(site?.domain, site?.id, site?.name),
    creative_format: [
      ...(imp.banner === undefined ? [] : ['banner']),
      ...(imp.native === undefined || imp.native === null ? [] : ['native']),
      ...(imp.video === undefined ? [] : ['video']),
    ],
    creative_size: sizesOf(imp),
    position: imp.banner?.pos ?? imp.video?.pos,
    interstitial: imp.instl === 1,
    rewarded: imp.rwdd === 1,
    environment: app !== undefined ? 'App' : site !== undefined ? 'Web' : null,
    os: device?.os,
    content_language: (app ?? site)?.content?.language,
    device_make: device?.make,
    device_model: device?.model,
    device_connection: device?.connectiontype,
    device_ip: device?.ip ?? device?.ipv6,
    ad_exchange: textOf(request.ext?.['exchange']),
    display_manager: imp.displaymanager,
    bid_floor: imp.bidfloor ?? 0,
    ...history(request.user?.ext),
  }
  return Object.fromEntries(Object.entries(found).filter(([, fact]) => fact !== null && fact !== undefined)) as Facts
}

const named = (...names: readonly (string | undefined)[]): Fact | null => {
  const known = names.filter((name) => name !== undefined && name !== '') as string[]
  return known.length === 0 ? null : known
}

function sizesOf({ banner, video }: Imp): readonly string[] {
  const all: readonly Sized[] = [
    ...(banner === undefined ? [] : [banner, ...(banner.format ?? [])]),
    ...(video === undefined ? [] : [video]),
  ]
  return [...new Set(all.flatMap(({ w, h }) => (w === undefined || h === undefined ? [] : [`${w}x${h}`])))]
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** A user without recorded history has all counts at zero. */
function history(ext: Loose | undefined): { readonly [Key in FilterKey]?: number } {
  const keys = ['visits', 'impressions', 'clicks'].flatMap((name) => WINDOWS.map((window) => `${name}_${window}`))
  return Object.fromEntries(
    keys.map((key) => {
      const value = ext?.[key]
      return [key, typeof value === 'number' ? value : 0]
    }),
  )
}
