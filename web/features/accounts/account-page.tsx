import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ArrowRightLeft, Ban, CircleAlert, RotateCcw } from 'lucide-react'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { AccountRecord } from '#contract/accounts'
import { AccountFinder } from '@/session/account-finder'
import { NotFound } from '@/components/page/not-found'
import { Page } from '@/components/page/page'
import { isMissing } from '@/data/app-error'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { Skeleton } from '@/components/ui/skeleton'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs'
import { accountQueries } from '@/data/account-queries'
import { campaignQueries } from '@/data/campaign-queries'
import { formatCount, formatDay } from '@/i18n/format'
import { can } from '@/session/can'
import { RenameAccountButton } from '@/session/rename-account-button'
import { useMe } from '@/session/session-queries'
import { useSwitchAccount } from '@/session/use-switch-account'
import { AccountCampaigns } from './account-campaigns.tsx'
import type { AccountAction } from './account-dialogs.tsx'
import { AccountHistory } from './account-history.tsx'
import { AccountOverview } from './account-overview.tsx'
import { AccountPeople } from './account-people.tsx'
import { ACCOUNT_TABS } from './account-search.ts'
import { AccountStatus } from './account-status.tsx'
import '@/i18n/texts/accounts'

const AccountDialogs = lazy(async () => ({ default: (await import('./account-dialogs.tsx')).AccountDialogs }))
const route = getRouteApi('/_app/admin/user/details/$id')

type AccountPageProps = {
  /** The people of the account, for users who may manage them. */
  readonly renderTeam: (spaceId: string) => ReactNode
}

/** `/admin/user/details/{id}`: an account by its owner, or a registrant. */
export function AccountPage({ renderTeam }: AccountPageProps) {
  const { t } = useTranslation('accounts')
  const { id } = route.useParams()
  const { tab = 'overview', page = 0 } = route.useSearch()
  const navigate = route.useNavigate()
  const me = useMe()
  const { data: account, error, refetch } = useQuery(accountQueries.ofUser(id))
  const [action, setAction] = useState<AccountAction | null>(null)
  const audits = can(me, 'account.audit')
  const { data: campaigns } = useQuery({
    ...campaignQueries.count(account?.space_id ?? ''),
    enabled: account?.opened === true && can(me, 'campaign.admin-list'),
  })
  const readsCampaigns = can(me, 'campaign.admin-list')
  const tabs = ACCOUNT_TABS.filter((one) => (one === 'history' ? audits : one === 'campaigns' ? readsCampaigns : true)).filter(
    (one) => account?.opened !== false || one === 'overview',
  )
  if (isMissing(error)) return <NotFound />
  return (
    <Page
      title={account?.space_name ?? t('title')}
      breadcrumb={[
        <Link key="accounts" to="/admin/accounts">
          {t('title')}
        </Link>,
      ]}
      description={account === undefined ? undefined : <AccountStatus account={account} />}
      actions={
        <>
          <AccountFinder
            label={t('details.find')}
            chosen={account ?? null}
            onChoose={({ user_id }) => user_id !== null && void navigate({ params: { id: user_id }, search: {} })}
          />
          {account !== undefined && account.opened && <Actions account={account} onAction={setAction} />}
        </>
      }
      failed={
        error !== null && account === undefined ? { title: t('details.error'), error, onRetry: () => void refetch() } : null
      }
    >
      {account === undefined ? (
        <Skeleton className="h-64" />
      ) : (
        <>
          <State account={account} />
          <Tabs
            value={tab}
            onValueChange={(next) =>
              void navigate({
                search: { tab: ACCOUNT_TABS.find((one) => one === next && one !== 'overview') },
                resetScroll: false,
              })
            }
            className="gap-4"
          >
            <TabsList aria-label={t('details.tabs')}>
              {tabs.map((one) => (
                <TabsTrigger key={one} value={one}>
                  {t(`details.${one}`)}
                  {one === 'campaigns' && campaigns !== undefined && (
                    <span className="text-muted-foreground tabular-nums">{formatCount(campaigns)}</span>
                  )}
                </TabsTrigger>
              ))}
            </TabsList>
            <TabsContent value="overview">
              <AccountOverview account={account} onAction={setAction} />
            </TabsContent>
            {readsCampaigns && (
              <TabsContent value="campaigns">
                <AccountCampaigns spaceId={account.space_id} page={page} />
              </TabsContent>
            )}
            <TabsContent value="people">
              {can(me, 'team.manage') ? renderTeam(account.space_id) : <AccountPeople spaceId={account.space_id} />}
            </TabsContent>
            <TabsContent value="history">
              <AccountHistory account={account} page={page} />
            </TabsContent>
          </Tabs>
          <Suspense>
            {action !== null && <AccountDialogs account={account} action={action} onClose={() => setAction(null)} />}
          </Suspense>
        </>
      )}
    </Page>
  )
}

function Actions({ account, onAction }: { readonly account: AccountRecord; readonly onAction: (action: AccountAction) => void }) {
  const { t } = useTranslation('accounts')
  const me = useMe()
  const { mutate, isPending } = useSwitchAccount()
  return (
    <>
      <RenameAccountButton spaceId={account.space_id} name={account.space_name} />
      {can(me, 'account.manage') && (
        <Button variant="outline" onClick={() => onAction(account.suspended ? 'restore' : 'suspend')}>
          {account.suspended ? <RotateCcw aria-hidden /> : <Ban aria-hidden />}
          {t(account.suspended ? 'details.restore' : 'details.suspend')}
        </Button>
      )}
      {/* The server refuses a switch into an account whose registration is not complete (163). */}
      {can(me, 'account.switch') && (account.status_key ?? 5) === 5 && (
        <Button disabled={isPending} onClick={() => mutate({ spaceId: account.space_id, campaign: null })}>
          <ArrowRightLeft aria-hidden />
          {t('details.switch')}
        </Button>
      )}
    </>
  )
}

function State({ account }: { readonly account: AccountRecord }): ReactNode {
  const { t } = useTranslation('accounts')
  const { suspended, suspended_at: at, suspended_reason: reason, opened } = account
  if (!suspended && opened) return null
  return (
    <Notice tone={suspended ? 'bad' : 'idle'}>
      <CircleAlert aria-hidden />
      <p className="wrap-anywhere">
        {suspended
          ? t('details.suspendedNotice', { date: at === null ? '' : formatDay(at), reason: reason ?? '' })
          : t('details.registrantNotice')}
      </p>
    </Notice>
  )
}
