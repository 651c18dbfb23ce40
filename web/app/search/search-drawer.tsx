import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Megaphone, Search } from 'lucide-react'
import { useEffect, useRef, useState, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { FoundAccountItem, FoundCampaignItem } from '#contract/accounts'
import { AccountPicture } from '@/session/account-picture'
import { SearchImage } from '@/components/empty-images'
import { LoadError } from '@/components/load-error'
import { StatusText } from '@/components/status-text'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Input } from '@/components/ui/input'
import { Sheet, SheetContent, SheetDescription, SheetTitle } from '@/components/ui/sheet'
import { Skeleton } from '@/components/ui/skeleton'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs'
import { moderationQueries } from '@/data/moderation-queries'
import { SEARCH_DELAY_MS, searchQueries } from '@/data/search-queries'
import { formatCount } from '@/i18n/format'
import { useDebounced } from '@/lib/use-debounced'
import type { Popup } from '@/lib/use-popup'
import { returnFocus } from '@/lib/return-focus'
import { can } from '@/session/can'
import { useMe, useWhitelabel } from '@/session/session-queries'
import { useSwitchAccount } from '@/session/use-switch-account'
import '@/i18n/texts/search'

/** Refreshes the number beside the moderation with each answer (decisions G-211). */
function useCountedAgain(answer: unknown) {
  const client = useQueryClient()
  useEffect(() => {
    if (answer !== undefined) void client.invalidateQueries({ queryKey: moderationQueries.all() })
  }, [client, answer])
}

type Found = {
  readonly accounts: readonly FoundAccountItem[]
  readonly campaigns: readonly FoundCampaignItem[]
  /** Both, the best match first. */
  readonly all: readonly (FoundAccountItem | FoundCampaignItem)[]
}

/** The admin search (platform.md §2): accounts and campaigns. Picking one switches into its account. */
export function SearchDrawer({ popup }: { readonly popup: Popup }) {
  const { t } = useTranslation('search')
  return (
    <Sheet open={popup.open} onOpenChange={popup.onOpenChange}>
      <SheetContent
        side="top"
        className="max-h-[85dvh] gap-0 overflow-y-auto rounded-b-xl border-b-0 px-4 pt-5 pb-6 lg:px-8"
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          returnFocus(popup.button.current)
        }}
        // Beside inputs and results, a click in the drawer closes it as one outside does.
        onClick={(event: MouseEvent) => {
          const { target } = event
          if (target instanceof Element && target.closest('input, button, a, [role=tablist], [data-keep]') === null)
            popup.onOpenChange(false)
        }}
      >
        <SheetTitle className="sr-only">{t('open')}</SheetTitle>
        <SheetDescription className="sr-only">{t('hint')}</SheetDescription>
        <Drawer onDone={() => popup.onOpenChange(false)} />
      </SheetContent>
    </Sheet>
  )
}

function Drawer({ onDone }: { readonly onDone: () => void }) {
  const { t } = useTranslation('search')
  const me = useMe()
  const { name } = useWhitelabel()
  const [typed, setTyped] = useState('')
  const query = useDebounced(typed.trim(), SEARCH_DELAY_MS)
  const { data, error, refetch, isPlaceholderData } = useQuery(searchQueries.all(query))
  const later = useRef<'click' | 'focus' | null>(null)
  const results = useRef<HTMLDivElement>(null)
  const settled = typed.trim() === query && data !== undefined && !isPlaceholderData
  /** The first result; before the answer is there, once it is: the rows until then are those of an earlier query. */
  const onFirst = (action: 'click' | 'focus') => {
    if (settled) firstOf(results.current)?.[action]()
    else later.current = action
  }
  useEffect(() => {
    if (later.current === null || !settled) return
    firstOf(results.current)?.[later.current]()
    later.current = null
  }, [settled])
  useCountedAgain(data)
  const { mutate, isPending } = useSwitchAccount()
  const pick = (spaceId: string, campaign: string | null) => mutate({ spaceId, campaign }, { onSuccess: onDone, onError: onDone })
  return (
    // Arrow keys move through the results from wherever the focus is.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div ref={results} className="mx-auto flex w-full max-w-5xl flex-col gap-4" onKeyDown={(event) => moveFocus(event, onFirst)}>
      <div className="relative mr-10">
        <Search aria-hidden className="text-muted-foreground absolute top-1/2 left-3 size-4 -translate-y-1/2" />
        <Input
          type="search"
          autoComplete="off"
          data-query
          className="h-10 pl-9"
          aria-label={t('open')}
          placeholder={t(can(me, 'account.switch') ? 'placeholder' : 'placeholderOwn', { name })}
          maxLength={300}
          value={typed}
          onChange={(event) => {
            later.current = null
            setTyped(event.target.value)
          }}
        />
      </div>
      <output className="sr-only">{isPending && t('switching')}</output>
      {error !== null && data === undefined ? (
        <LoadError title={t('failed')} error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Waiting />
      ) : (
        <div aria-busy={isPlaceholderData} className="aria-busy:opacity-60">
          {data.query === '' ? (
            <Columns found={data} onPick={pick} onOpened={onDone} />
          ) : (
            <Results query={data.query} found={data} onPick={pick} onOpened={onDone} />
          )}
        </div>
      )}
    </div>
  )
}

const firstOf = (results: HTMLElement | null) => results?.querySelector<HTMLElement>('[data-result]')

type OnPick = (spaceId: string, campaign: string | null) => void
type FoundProps = { readonly found: Found; readonly onPick: OnPick; readonly onOpened: () => void }

const Waiting = () => (
  <div className="grid gap-6 md:grid-cols-2">
    {[0, 1].map((column) => (
      <div key={column} className="flex flex-col gap-2">
        {[0, 1, 2, 3].map((row) => (
          <Skeleton key={row} className="h-10" />
        ))}
      </div>
    ))}
  </div>
)

/** Before anything is typed: accounts beside campaigns. */
function Columns({ found: { accounts, campaigns }, onPick, onOpened }: FoundProps) {
  const { t } = useTranslation('search')
  return (
    <div className="grid gap-x-8 gap-y-6 md:grid-cols-2">
      <Column title={t('accounts')} empty={t('noAccounts')}>
        {accounts.map((account) => (
          <Account key={account.space_id} account={account} onPick={onPick} onOpened={onOpened} />
        ))}
      </Column>
      <Column title={t('campaigns')} empty={t('noCampaigns')}>
        {campaigns.map((campaign) => (
          <Campaign key={campaign.campaign_id} campaign={campaign} onPick={onPick} />
        ))}
      </Column>
    </div>
  )
}

function Column({
  title,
  empty,
  children,
}: {
  readonly title: string
  readonly empty: string
  readonly children: readonly ReactNode[]
}) {
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-1.5">
      <h2 className="text-muted-foreground px-2 text-xs font-medium">{title}</h2>
      {children.length === 0 ? (
        <p className="text-muted-foreground border-border rounded-md border border-dashed px-3 py-6 text-center">{empty}</p>
      ) : (
        <ul>{children}</ul>
      )}
    </section>
  )
}

/** With a query: three tabs with their counts. */
function Results({ query, found, onPick, onOpened }: FoundProps & { readonly query: string }) {
  const { t } = useTranslation('search')
  const campaigns = found.campaigns.map((campaign) => <Campaign key={campaign.campaign_id} campaign={campaign} onPick={onPick} />)
  const accounts = found.accounts.map((account) => (
    <Account key={account.space_id} account={account} onPick={onPick} onOpened={onOpened} />
  ))
  const tabs = [
    {
      key: 'all',
      rows: found.all.map((item) =>
        item.type_key === 2 ? (
          <Account key={item.space_id} account={item} onPick={onPick} onOpened={onOpened} />
        ) : (
          <Campaign key={item.campaign_id} campaign={item} onPick={onPick} />
        ),
      ),
      empty: 'nothing',
    },
    { key: 'accounts', rows: accounts, empty: 'noAccountsFound' },
    { key: 'campaigns', rows: campaigns, empty: 'noCampaignsFound' },
  ] as const
  return (
    <Tabs defaultValue="all" className="gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 className="min-w-0 grow truncate font-semibold">{t('resultsFor', { query })}</h2>
        <TabsList aria-label={t('tabs')}>
          {tabs.map(({ key, rows }) => (
            <TabsTrigger key={key} value={key}>
              {t('tab', { name: t(key), shown: formatCount(rows.length) })}
            </TabsTrigger>
          ))}
        </TabsList>
      </div>
      {tabs.map(({ key, rows, empty }) => (
        <TabsContent key={key} value={key} tabIndex={-1}>
          {rows.length === 0 ? (
            <EmptyState image={<SearchImage />} title={t(empty)} text={t('nothingText')} />
          ) : (
            <ul className="grid gap-x-8 md:grid-cols-2">{rows}</ul>
          )}
        </TabsContent>
      ))}
    </Tabs>
  )
}

const row =
  'hover:bg-muted focus-visible:bg-muted flex min-h-11 w-full items-center gap-3 rounded-md px-2 py-1.5 text-left outline-none'

type AccountProps = { readonly account: FoundAccountItem; readonly onPick: OnPick; readonly onOpened: () => void }

/** A pick switches into the account; its details open beside it. */
function Account({ account, onPick, onOpened }: AccountProps) {
  const { t } = useTranslation('search')
  const opens = can(useMe(), 'account.list')
  const owner = [account.first_name, account.last_name].filter(Boolean).join(' ')
  return (
    <li className="flex min-w-0 items-center gap-1">
      <button type="button" data-result className={row} onClick={() => onPick(account.space_id, null)}>
        <AccountPicture name={account.space_name} pictureId={account.picture_id} />
        <span className="min-w-0 grow">
          <span className="block truncate font-medium">{account.space_name}</span>
          {owner !== '' && <span className="text-muted-foreground block truncate text-xs">{owner}</span>}
        </span>
        {account.own && <Badge variant="secondary">{t('own')}</Badge>}
        {account.suspended && <Badge variant="outline">{t('suspended')}</Badge>}
      </button>
      {opens && account.user_id !== null && !account.own && (
        <Button asChild variant="ghost" size="sm" className="shrink-0">
          <Link
            to="/admin/user/details/$id"
            params={{ id: account.user_id }}
            aria-label={t('details', { name: account.space_name })}
            onClick={onOpened}
          >
            {t('detailsShort')}
          </Link>
        </Button>
      )}
    </li>
  )
}

function Campaign({ campaign, onPick }: { readonly campaign: FoundCampaignItem; readonly onPick: OnPick }) {
  return (
    <li className="min-w-0">
      <button type="button" data-result className={row} onClick={() => onPick(campaign.space_id, campaign.campaign_id)}>
        <span aria-hidden className="bg-muted text-muted-foreground grid size-7 shrink-0 place-items-center rounded-md">
          <Megaphone className="size-4" />
        </span>
        <span className="min-w-0 grow">
          <span className="block truncate font-medium">{campaign.campaign_name}</span>
          <span className="text-muted-foreground block truncate text-xs">{campaign.space_name}</span>
        </span>
        <StatusText statusKey={campaign.status_key} className="shrink-0 text-xs max-sm:sr-only" />
      </button>
    </li>
  )
}

/** Down and Up move between the search box and the results; letters typed on a result go on in the search box. */
function moveFocus(event: KeyboardEvent<HTMLElement>, onFirst: (action: 'click' | 'focus') => void) {
  const { currentTarget, target, key } = event
  const box = currentTarget.querySelector<HTMLInputElement>('[data-query]')
  const results = [...currentTarget.querySelectorAll<HTMLElement>('[data-result]')]
  const at = results.findIndex((result) => result === target)
  if (key === 'ArrowDown' || key === 'ArrowUp') {
    if (at === -1 && target !== box) return
    event.preventDefault()
    if (at === -1) {
      if (key === 'ArrowDown') onFirst('focus')
      return
    }
    const next = at + (key === 'ArrowDown' ? 1 : -1)
    if (next < 0) box?.focus()
    else results[Math.min(next, results.length - 1)]?.focus()
  } else if (key === 'Enter' && target === box) {
    event.preventDefault()
    if (box?.value.trim() !== '') onFirst('click')
  } else if (at !== -1 && key.length === 1 && key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey) {
    box?.focus()
  }
}
