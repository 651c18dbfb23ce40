import { due, FULL_SCAN, type Sweep } from '#commands/sweep'
import { unsettledRegistrations } from '#projections/registration/queries'
import type { Own } from '#api/areas/services'
import type { Registrations } from '#commands/registration/registrations'

/** Finishes decisions that a process that died left undone. */
export const unsettled = ({ db }: Own<'db'>, { settleAgain }: Registrations): Sweep => ({
  name: 'registrations',
  scan: async (except) =>
    due(
      await unsettledRegistrations(db, FULL_SCAN, except),
      ({ id }) => id,
      ({ id, isActive }) => settleAgain(id, isActive),
    ),
})
