import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { spaceLedger, spaceLedgerCsv } from '#contract/ledger'
import type { MovementType } from '#domain/account/movement-types'
import { call, download } from '@/data/client'
import type { DateRange } from '@/lib/date-range'

export const MOVEMENT_ROWS = 25
/** New movements appear on the first page by themselves, milliseconds. */
const REFETCH_MS = 10_000

type Asked = { readonly range: DateRange | null; readonly type: MovementType | undefined }

const filterOf = ({ range, type }: Asked) => ({
  from_date: range?.start ?? null,
  to_date: range?.end ?? null,
  type: type ?? null,
})

export const billingQueries = {
  movements: (spaceId: string, { page, ...asked }: Asked & { readonly page: number }) =>
    queryOptions({
      queryKey: ['billing', spaceId, 'movements', asked, page],
      queryFn: ({ signal }) =>
        call(spaceLedger, {
          params: { id: spaceId },
          body: { ...filterOf(asked), daily: true, page, page_size: MOVEMENT_ROWS },
          signal,
        }),
      placeholderData: keepPreviousData,
      refetchInterval: page === 0 ? REFETCH_MS : false,
    }),
}

export const saveMovements = (spaceId: string, asked: Asked) =>
  download(spaceLedgerCsv, { params: { id: spaceId }, body: filterOf(asked) })
