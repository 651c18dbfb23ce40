import type { AccountSettings } from '#domain/account/settings'
import { rolesWith } from '#domain/kit/access'
import type { Fault } from '#domain/kit/errors'
import type { CommandContext } from '#domain/kit/event-metadata'
import { fault, unitsFault } from '#domain/kit/faults'
import { toMicros } from '#domain/kit/money'
import { PERSON_STATUS } from '#domain/registration/person-status'
import type { PersonRecord } from '../identity/person.ts'
import { accepted, refused } from '../refused.ts'
import type { AccountCommands } from './account-commands.ts'

type AgreedSettings = Omit<AccountSettings, 'tax_mode' | 'tax_rate'>
/** Settings that a call changes; amounts in currency units. */
export type SettingsPatch = { readonly [Name in keyof AgreedSettings]?: AgreedSettings[Name] | undefined }

/** Changes settings of an account; answers the names of those that changed. */
export const createSettingsChange =
  (accounts: AccountCommands, personOf: (id: string) => Promise<PersonRecord | null>) =>
  async (
    { spaceId, whitelabelId }: { readonly spaceId: string; readonly whitelabelId: string },
    context: CommandContext,
    patch: SettingsPatch,
  ) => {
    const faults: Fault[] = []
    const micros = (path: 'base_bid' | 'rewarded_ads_cpm_rate') => {
      const amount = patch[path]
      if (amount === undefined || amount === null) return {}
      const value = toMicros(amount)
      if (value === null) faults.push(unitsFault(path, amount))
      return { [path]: value ?? 1 }
    }
    const amounts = { ...micros('base_bid'), ...micros('rewarded_ads_cpm_rate') }
    if (patch.manager_id && !isManager(await personOf(patch.manager_id), whitelabelId))
      faults.push(fault('manager_id', 2, 'notAllowed'))
    if (faults.length > 0) throw refused(2, faults)
    const sent = Object.entries({ ...patch, ...amounts }).filter(([, value]) => value !== undefined)
    const settings: Partial<AccountSettings> = Object.fromEntries(sent)
    const { events, position } = accepted(await accounts.execute(spaceId, context, { type: 'ChangeSettings', settings }))
    const changed = events.flatMap((event) =>
      event.type === 'AccountSettingsChanged' ? event.data.changes.map(({ setting }) => setting) : [],
    )
    return { changed, position }
  }

const isManager = (person: PersonRecord | null, whitelabelId: string): boolean =>
  person !== null &&
  person.whitelabel_id === whitelabelId &&
  person.status_key === PERSON_STATUS.active &&
  person.roles.some((role) => rolesWith('account.represent').some((known) => known === role))
