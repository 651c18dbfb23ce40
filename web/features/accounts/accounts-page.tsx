import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Download, Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { ACCOUNT_SORTS } from '#contract/account-list'
import { accountExcel } from '#contract/accounts'
import { DataTable } from '@/components/data-table/data-table'
import { useListPage } from '@/components/data-table/use-list-page'
import { BoardImage } from '@/components/empty-images'
import { Page } from '@/components/page/page'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { accountQueries } from '@/data/account-queries'
import { download } from '@/data/client'
import { formatCount } from '@/i18n/format'
import { useToday } from '@/lib/clock'
import { saveFile } from '@/lib/save-file'
import { toast } from '@/lib/toast'
import { useCan } from '@/session/can'
import { useAccountColumns } from './account-columns.tsx'
import { AccountTotals } from './account-totals.tsx'
import { ACCOUNT_ROWS, filterOf, isFiltered, orderOf, pageOf, type AccountsSearch } from './accounts-search.ts'
import { AccountsToolbar } from './accounts-toolbar.tsx'
import '@/i18n/texts/accounts'

const route = getRouteApi('/_app/admin/accounts/')

/** `/admin/accounts`: accounts and registrants of the white-label. */
export function AccountsPage() {
  const { t } = useTranslation('accounts')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const today = useToday()
  const filter = filterOf(search, today)
  const accounts = useQuery(accountQueries.page(pageOf(search, today)))
  const columns = useAccountColumns()
  const total = accounts.data?.total_size
  const change = (patch: Partial<AccountsSearch>, history: 'push' | 'replace' = 'push') =>
    void navigate({ search: (previous) => ({ ...previous, ...patch }), replace: history === 'replace', resetScroll: false })
  const list = useListPage({
    query: accounts,
    search,
    onSearch: change,
    rowChoices: ACCOUNT_ROWS,
    sorts: ACCOUNT_SORTS,
    defaultSort: 'name',
    failed: t('error'),
    filters: {
      active: isFiltered(search),
      title: t('noMatch'),
      text: t('noMatchText'),
      clear: t('clear'),
      onClear: () => void navigate({ search: {} }),
    },
  })
  const mayAdd = useCan()('account.add')
  const excel = useMutation({
    mutationFn: async () => saveFile(await download(accountExcel, { body: { ...filter, ...orderOf(search) } }), 'accounts.xlsx'),
    onSuccess: () => toast.success(t('excelDone')),
  })
  return (
    <Page
      title={t('title')}
      description={total === undefined ? undefined : t('count', { count: total, shown: formatCount(total) })}
      actions={
        <>
          <Button variant="outline" disabled={excel.isPending || total === 0} onClick={() => excel.mutate()}>
            <Download aria-hidden />
            {t('excel')}
          </Button>
          {mayAdd && (
            <Button asChild>
              <Link to="/admin/accounts/add">
                <Plus aria-hidden />
                {t('add')}
              </Link>
            </Button>
          )}
        </>
      }
    >
      <AccountTotals filter={filter} />
      <AccountsToolbar search={search} onSearch={change} />
      <DataTable
        caption={t('table')}
        columns={columns}
        rowId={({ space_id, id }) => id ?? space_id}
        {...list}
        onOpen={({ id }) => id !== null && void navigate({ to: '/admin/user/details/$id', params: { id } })}
        nothing={<EmptyState image={<BoardImage />} title={t('empty')} text={t('emptyText')} />}
        testId="account-row"
      />
    </Page>
  )
}
