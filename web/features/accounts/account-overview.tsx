import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { AccountRecord } from '#contract/accounts'
import { Money } from '@/components/money'
import { Button } from '@/components/ui/button'
import { accountQueries } from '@/data/account-queries'
import { formatDay, formatExact } from '@/i18n/format'
import { typedPercent } from '@/i18n/percent'
import { lookUp } from '@/i18n/look-up'
import { can } from '@/session/can'
import { useMe } from '@/session/session-queries'
import type { AccountAction } from './account-dialogs.tsx'

type AccountOverviewProps = { readonly account: AccountRecord; readonly onAction: (action: AccountAction) => void }

/** Funds, terms and profile of an account. */
export function AccountOverview({ account, onAction }: AccountOverviewProps) {
  const { t } = useTranslation('accounts')
  const manages = can(useMe(), 'account.manage')
  const { currency, settings } = account
  const { data: staff } = useQuery({
    ...accountQueries.staff(account.whitelabel_id),
    enabled: manages && account.manager_id !== null,
  })
  const manager = staff?.people.find(({ id }) => id === account.manager_id)?.name ?? account.manager_id
  const money = (value: number) => <Money value={value} currency={currency} />
  const source = account.source === null ? null : (lookUp(`accounts:sources.${account.source}`) ?? account.source)
  return (
    <div className="grid gap-4 xl:grid-cols-2">
      {account.opened && (
        <Card
          title={t('details.funds')}
          actions={
            manages && (
              <>
                <Button variant="outline" size="sm" onClick={() => onAction('limit')}>
                  {t('details.limit')}
                </Button>
                <Button variant="outline" size="sm" onClick={() => onAction('credit')}>
                  {t('details.credit')}
                </Button>
              </>
            )
          }
        >
          <Fact name={t('fields.balance')}>{money(account.balance)}</Fact>
          <Fact name={t('fields.credit_limit')}>{money(account.credit_limit)}</Fact>
          <Fact name={t('details.available')}>{money(account.balance + account.credit_limit)}</Fact>
          <Fact name={t('fields.spent')}>{money(account.spent)}</Fact>
        </Card>
      )}
      {account.opened && (
        <Card
          title={t('details.terms')}
          actions={
            manages && (
              <Button variant="outline" size="sm" onClick={() => onAction('settings')}>
                {t('details.edit')}
              </Button>
            )
          }
        >
          <Fact name={t('fields.invoice_due_day')} unset={t('byDefault')}>
            {account.invoice_due_day === null ? null : t('dayOfMonth', { day: account.invoice_due_day })}
          </Fact>
          <Fact name={t('fields.rewarded_ads_cpm_rate')}>{formatExact(account.rewarded_ads_cpm_rate)}</Fact>
          <Fact name={t('fields.max_margin')} unset={t('byDefault')}>
            {account.max_margin === null ? null : t('percent', { value: account.max_margin })}
          </Fact>
          <Fact name={t('fields.base_bid')} unset={t('byDefault')}>
            {account.base_bid === null ? null : money(account.base_bid)}
          </Fact>
          <Fact name={t('fields.allow_make_payment')}>{t(settings.allow_make_payment ? 'yes' : 'no')}</Fact>
          <Fact name={t('fields.manager_id')}>{manager}</Fact>
          <Fact name={t('fields.account_type')}>{account.account_type === null ? null : t(`types.${account.account_type}`)}</Fact>
          <Fact name={t('fields.source')}>{source}</Fact>
          <Fact name={t('fields.niche')}>{account.niche}</Fact>
          <Fact name={t('fields.position')}>{account.job_title}</Fact>
        </Card>
      )}
      <Card title={t('details.profile')}>
        <Fact name={t('fields.owner')}>{[account.first_name, account.last_name].filter(Boolean).join(' ')}</Fact>
        <Fact name={t('fields.email')}>{account.email}</Fact>
        <Fact name={t('fields.phone')}>{account.phone}</Fact>
        <Fact name={t('fields.company')}>{account.company_name}</Fact>
        <Fact name={t('fields.kind')}>
          {account.user_type_key === null ? null : lookUp(`accounts:kinds.${account.user_type_key}`)}
        </Fact>
        <Fact name={t('fields.country')}>{account.country}</Fact>
        <Fact name={t('fields.created_at')}>{account.created_at === '' ? null : formatDay(account.created_at)}</Fact>
        {account.opened && (
          <Fact name={t('fields.space_id')}>
            <span className="font-mono text-xs">{account.space_id}</span>
          </Fact>
        )}
      </Card>
      {account.opened && (
        <Card
          title={t('details.legal')}
          actions={
            manages &&
            account.id !== null && (
              <Button asChild variant="outline" size="sm">
                <Link to="/admin/legal-entity/user/$id" params={{ id: account.id }}>
                  {t('details.legal')}
                </Link>
              </Button>
            )
          }
        >
          <Fact name={t('fields.legal_entity_name')}>{account.legal_entity_name}</Fact>
          <Fact name={t('fields.tin_number')}>{account.tin_number}</Fact>
          <Fact name={t('fields.address')}>
            {[account.address_line_1, account.address_line_2, account.postal_code, account.city, account.legal_country]
              .filter(Boolean)
              .join(', ')}
          </Fact>
          <Fact name={t('fields.invoice_email')}>{account.invoice_email}</Fact>
          <Fact name={t('fields.tax_mode')} unset={t('legalPage.tax.usual')}>
            {account.tax_mode === null
              ? null
              : [
                  t(`legalPage.tax.${account.tax_mode}`),
                  account.tax_rate === null ? '' : t('percent', { value: typedPercent(account.tax_rate) }),
                ]
                  .filter(Boolean)
                  .join(', ')}
          </Fact>
        </Card>
      )}
    </div>
  )
}

type CardProps = { readonly title: string; readonly actions?: ReactNode; readonly children: ReactNode }

const Card = ({ title, actions, children }: CardProps) => (
  <section aria-label={title} className="border-border bg-card flex flex-col gap-3 rounded-lg border p-5">
    <header className="flex min-h-8 flex-wrap items-center gap-2">
      <h2 className="grow font-semibold">{title}</h2>
      {actions}
    </header>
    <dl className="grid grid-cols-[minmax(8rem,14rem)_minmax(0,1fr)] gap-x-4 gap-y-2 text-[0.8125rem]/5 max-sm:grid-cols-1">
      {children}
    </dl>
  </section>
)

function Fact({ name, unset, children }: { readonly name: string; readonly unset?: string; readonly children: ReactNode }) {
  const { t } = useTranslation('accounts')
  const isUnset = children === null || children === ''
  return (
    <>
      <dt className="text-muted-foreground">{name}</dt>
      <dd className="wrap-anywhere">
        {isUnset ? <span className="text-muted-foreground">{unset ?? t('unset')}</span> : children}
      </dd>
    </>
  )
}
