import { FULL_SCAN, type Sweep } from '#commands/sweep'
import { unsettledRegistrations } from '#projections/registrations/queries'
import type { Kit } from '#api/kit/kit'
import { createRegistrations, type RegistrationRequest } from '#api/kit/registrations'

/** Carries out forms that were received, and what a process that died left undone. */
export function registrationSweeps(kit: Kit): readonly Sweep[] {
  const { db } = kit
  const registrations = createRegistrations(kit)
  return [
    {
      name: 'registration-requests',
      scan: async () => {
        const requests = await db
          .selectFrom('app.registration_requests')
          .select(['id', 'whitelabel_id', 'person_id', 'context', 'form'])
          .$castTo<RegistrationRequest>()
          .orderBy('received_at')
          .limit(FULL_SCAN)
          .execute()
        return requests.map((request) => () => registrations.carryOut(request))
      },
    },
    {
      name: 'registrations',
      scan: async () => {
        const people = await unsettledRegistrations(db, FULL_SCAN)
        return people.map(
          ({ id, isActive }) =>
            () =>
              registrations.settleAgain(id, isActive),
        )
      },
    },
  ]
}
