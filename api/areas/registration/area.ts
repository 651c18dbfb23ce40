import { removeRequests } from '#platform/registration/erasure'
import { addressRegistered } from '#commands/registration/mails/address-registered'
import { registrationRejected } from '#commands/registration/mails/registration-rejected'
import { setUpAccount } from '#commands/registration/mails/setup-account'
import { confirmRegistration } from '#commands/registration/mails/confirm-registration'
import type { Own } from '#api/areas/services'
import { REGISTRATION_ENDPOINTS } from '#contract/registration'
import { createRegistrationStore } from '#platform/registration/registration-store'
import { area } from '../area.ts'
import { createRegistrations, REGISTRATION_POLICY } from '#commands/registration/registrations'
import { unsettled } from './policies.ts'
import { registerPasswordRoutes } from './password-routes.ts'
import { registerRegistrationRoutes } from './registration-routes.ts'

export const registration = area({
  name: 'registration',
  summary: 'Registration, its screening, and forgotten passwords',
  endpoints: REGISTRATION_ENDPOINTS,
  uses: [
    'commands.accounts',
    'commands.registrations',
    'db',
    'fingerprint',
    'limits',
    'mailKeys',
    'people',
    'personal',
    'queueMail',
    'reference',
    'store',
    'whiteLabels',
  ],
  tables: ['app.registration_requests'],
  erase: { within: removeRequests },
  mails: {
    'confirm-registration': confirmRegistration,
    'setup-account': setUpAccount,
    'registration-rejected': registrationRejected,
    'address-registered': addressRegistered,
  },
  register(app, kit) {
    registerRegistrationRoutes(app, kit, createRegistrationStore(kit.db))
    registerPasswordRoutes(app, kit)
  },
  jobs: { registration: { ...REGISTRATION_POLICY, open: (kit) => registrationsOf(kit).runner } },
  policies: async (kit) => [unsettled(kit, registrationsOf(kit))],
  housekeeping: ({ db }) => createRegistrationStore(db).purge(),
})

const registrationsOf = (
  kit: Own<'commands.accounts' | 'commands.registrations' | 'db' | 'mailKeys' | 'people' | 'reference' | 'store' | 'whiteLabels'>,
) => createRegistrations({ ...kit, store: createRegistrationStore(kit.db) })
