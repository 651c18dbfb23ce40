import { sql } from 'kysely'
import { FULL_SCAN, type Sweep } from '#commands/sweep'
import { unsettledRegistrations } from '#projections/registration/queries'
import type { Kit } from '../kit.ts'
import { createRegistrations, type RegistrationRequest } from '#platform/registration/registrations'

/** Carries out forms that were received, and what a process that died left undone. */
export function registrationSweeps(kit: Kit): readonly Sweep[] {
  const { db } = kit
  const registrations = createRegistrations(kit)
  return [
    {
      name: 'registration-requests',
      scan: async () => {
        const { rows } = await sql<RegistrationRequest>`
          select id, whitelabel_id, person_id, context, form from app.registration_requests
          order by received_at limit ${FULL_SCAN}`.execute(db)
        return rows.map((request) => () => registrations.carryOut(request))
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
