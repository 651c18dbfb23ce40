import type { Suspended } from '#platform/white-label/suspended'
import { withoutHouse } from '#projections/white-label/white-labels'
import { systemContext } from '#domain/kit/event-metadata'
import { due, type Sweep } from '#commands/sweep'
import type { Own } from '#api/areas/services'

/** Keeps what other tables and streams must say about white-labels in step with the log. */
export const whiteLabelSweeps = async (
  { commands, db, derivedId }: Own<'commands.accounts' | 'db'>,
  suspended: Suspended,
): Promise<readonly Sweep[]> => [
  {
    name: 'suspended-white-labels',
    scan: async () =>
      due(
        await suspended.changed(),
        ({ id }) => id,
        (one) => suspended.apply(one),
      ),
  },
  {
    // The call that creates a white-label opens its house too; this is for one that ended between the two.
    name: 'houses-of-white-labels',
    scan: async () => {
      const rows = await withoutHouse(db)
      return due(
        rows,
        ({ id }) => id,
        ({ id, name }) =>
          commands.accounts.execute(derivedId('house', id), openedBy(derivedId('open-house', id)), {
            type: 'OpenAccount',
            spaceId: derivedId('house', id),
            whitelabelId: id,
            name,
            currency: 'USD',
            house: true,
          }),
      )
    },
  },
]

const openedBy = (commandId: string) => systemContext('white-labels', commandId, { correlation: commandId })
