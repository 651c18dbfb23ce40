import { FULL_SCAN, type Sweep } from '#commands/sweep'
import { unsettledRegistrations } from '#projections/registration/queries'
import type { RegistrationOwn } from './uses.ts'
import { createRegistrations, type RegistrationStore } from '#commands/registration/registrations'

/** Carries out forms that were received, and what a process that died left undone. */
export function registrationSweeps(kit: RegistrationOwn, requests: RegistrationStore): readonly Sweep[] {
  const registrations = createRegistrations({ ...kit, store: requests })
  return [
    {
      name: 'registration-requests',
      scan: async () => (await requests.requests(FULL_SCAN)).map((request) => () => registrations.carryOut(request)),
    },
    {
      name: 'registrations',
      scan: async () => {
        const people = await unsettledRegistrations(kit.db, FULL_SCAN)
        return people.map(
          ({ id, isActive }) =>
            () =>
              registrations.settleAgain(id, isActive),
        )
      },
    },
  ]
}
