import type { WhiteLabels } from '#commands/white-label/white-labels'
import { allWhiteLabels, earlierSettings } from '#projections/white-label/white-labels'
import type { Kysely } from 'kysely'
import { isStaff, type Actor } from '#domain/kit/access'
import { DEFAULT_WHITE_LABEL, hostLabel } from '#domain/white-label/hosts'
import { KEY_DAYS } from '#domain/kit/key-life'
import { offsetAt } from '#domain/kit/time-zone'
import { DEFAULT_PRIMARY, ON_PRIMARY, shownColor } from '#domain/white-label/palette'
import {
  BUILT_IN_IDS,
  isInNetworks,
  initial as initialWhiteLabel,
  whiteLabelOf,
  zoneOf,
  type WhiteLabel,
  type WhiteLabelState,
} from '#domain/white-label/white-label'
import type { Needs } from '#api/areas/services'
import type { Db } from '#migrations/db'

/** How often white-labels are read again, milliseconds: a change by another process shows within a second. */
const EVERY_MS = 500

type Staff = Pick<Actor, 'roles'>

/**
 * Whether the white-label decides how this user signs in: its staff, without system administrators. These belong to the default
 * white-label, whose owner must not decide about them.
 */
export const isGoverned = (person: Staff): boolean => isStaff(person) && !person.roles.includes('SYSTEM_ADMIN')

/** Whether this user needs a second factor (fine print 95). */
export const requiresSecondFactor = (
  { find, secondFactorByDefault }: Pick<WhiteLabels, 'find' | 'secondFactorByDefault'>,
  actor: Staff & Pick<Actor, 'whitelabelId'>,
): boolean =>
  isGoverned(actor) ? find(actor.whitelabelId)?.settings.second_factor_required === true : secondFactorByDefault && isStaff(actor)

/** Minutes without use after which a session of this user ends; null for no limit (fine print 79). */
export const idleLimitOf = (
  { find }: Pick<WhiteLabels, 'find'>,
  person: Staff & { readonly whitelabel_id: string },
): number | null => (isGoverned(person) ? (find(person.whitelabel_id)?.settings.staff_idle_minutes ?? null) : null)

/** The longest life of a key that a white-label allows, days (fine print 86). */
export const keyDaysOf = ({ find }: Pick<WhiteLabels, 'find'>, whitelabelId: string): number =>
  find(whitelabelId)?.settings.api_key_days ?? KEY_DAYS.standard

/** Whether the white-label takes API keys only in exchange for access tokens (fine print 86). */
export const exchangesKeys = ({ find }: Pick<WhiteLabels, 'find'>, { whitelabelId }: Pick<Actor, 'whitelabelId'>): boolean =>
  find(whitelabelId)?.settings.api_keys_exchange_only === true

/** Whether staff give a reason when they switch into an account of the white-label (fine print 91). */
export const asksWhySwitch = ({ find }: Pick<WhiteLabels, 'find'>, whitelabelId: string): boolean =>
  find(whitelabelId)?.settings.switch_reason_required === true

/** Whether the white-label keeps this user from signing in and working at this address (fine print 81). */
export function isOutside(
  { find }: Pick<WhiteLabels, 'find'>,
  actor: Staff & Pick<Actor, 'whitelabelId'>,
  address: string,
): boolean {
  return isGoverned(actor) && !isInNetworks(find(actor.whitelabelId)?.settings.staff_networks ?? [], address)
}

export const logoPath = ({ logo_file_id: id }: Pick<WhiteLabel, 'logo_file_id'>): string | null =>
  id === null ? null : `/v1/file/cache/${id}`

const UNDEFINED_TABLE = '42P01'
const isUndefinedTable = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === UNDEFINED_TABLE

type Known = { readonly revision: number; readonly label: WhiteLabel }

export type WhiteLabelsOptions = { readonly now?: () => string; readonly secondFactorByDefault?: boolean }

/** All white-labels, in memory: every request needs one. `follow` keeps them fresh until the product stops. */
export function createWhiteLabels(
  db: Kysely<Db>,
  { now = () => new Date().toISOString(), secondFactorByDefault = true }: WhiteLabelsOptions = {},
): WhiteLabels & { readonly follow: (kit: Needs<'logger' | 'stops'>) => void } {
  let known = new Map<string, Known>()
  const builtIn = new Map(
    BUILT_IN_IDS.flatMap((id) => {
      const label = whiteLabelOf(id, initialWhiteLabel)
      return label === null ? [] : [[id, label]]
    }),
  )
  /** Choices from before white-labels had events; an event of the white-label overrides them. */
  let earlier = new Map<string, boolean>()

  async function refresh(): Promise<void> {
    const rows = await allWhiteLabels(db).catch((error: unknown) => {
      // The first start of a build: its projector has not created the table yet.
      if (isUndefinedTable(error)) return []
      throw error
    })
    const choices = await earlierSettings(db)
    earlier = new Map(choices.map(({ whitelabel_id, own_approval }) => [whitelabel_id, own_approval]))
    const next = new Map(known)
    for (const { whitelabel_id: id, revision, state } of rows) {
      const label = whiteLabelOf(id, withDefaults(id, state))
      // A command of this process may be ahead of the read model.
      if (label !== null && (next.get(id)?.revision ?? 0) <= revision) next.set(id, { revision, label })
    }
    known = next
  }

  function withDefaults(id: string, state: WhiteLabelState): WhiteLabelState {
    const own_approval = earlier.get(id)
    const before = own_approval === undefined ? {} : { own_approval }
    return { ...state, settings: { second_factor_required: secondFactorByDefault, ...before, ...state.settings } }
  }

  const find = (id: string): WhiteLabel | null => {
    const found = known.get(id)?.label
    if (found !== undefined) return found
    return builtIn.has(id) ? whiteLabelOf(id, withDefaults(id, initialWhiteLabel)) : null
  }
  const theDefault = (): WhiteLabel => {
    const label = find(DEFAULT_WHITE_LABEL)
    if (label === null) throw new Error(`${DEFAULT_WHITE_LABEL} is built in`)
    return label
  }

  return {
    find,
    secondFactorByDefault,
    ofHost: (hostname) => find(hostLabel(hostname)) ?? theDefault(),
    all: () => [...new Set([...builtIn.keys(), ...known.keys()])].sort().flatMap((id) => find(id) ?? []),
    brandOf(id) {
      const label = find(id) ?? theDefault()
      return {
        id: label.id,
        name: label.name,
        logoPath: logoPath(label),
        primary: shownColor('primary', 'light', label.primary_color ?? DEFAULT_PRIMARY),
        onPrimary: ON_PRIMARY,
        termsUrl: label.term_of_service_url,
        helpUrl: label.help_url,
        locale: label.default_locale,
        zone: zoneOf(label),
        timezoneOffsetSeconds: offsetAt(zoneOf(label), now()),
      }
    },
    settingsOf: async (id) => (find(id) ?? theDefault()).settings,
    stored(id, state, revision) {
      const label = whiteLabelOf(id, withDefaults(id, state))
      if (label !== null && (known.get(id)?.revision ?? 0) <= revision) known = new Map(known).set(id, { revision, label })
    },
    refresh,
    follow({ logger, stops }) {
      let working: Promise<unknown> = Promise.resolve()
      const timer = setInterval(() => {
        working = refresh().catch((error: unknown) =>
          logger.error({ err: error }, 'white-labels were not read and are read again'),
        )
      }, EVERY_MS)
      stops.add(async () => {
        clearInterval(timer)
        await working
      })
    },
  }
}
