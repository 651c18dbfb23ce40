import { ExternalLink } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Campaign } from '#contract/campaign-body'

/** Lists every address that a click may open, for the moderator to check. */
export function ClickLinks({ campaign }: { readonly campaign: Campaign }) {
  const { t } = useTranslation(['moderation', 'form'])
  const { click_url, website_promotion, app_promotion } = campaign.bidding_strategy
  const app = [app_promotion.app_name, app_promotion.bundle_id, app_promotion.app_platform_type].filter(Boolean).join(' · ')
  const links = [
    [t('form:landingPage'), campaign.product_url],
    [t('moderation:link.click'), click_url ?? app_promotion.click_url],
    [t('moderation:link.tracking'), app_promotion.tracking_url],
    [t('moderation:link.conversion'), website_promotion.conversion_url],
    [t('moderation:link.app'), app],
  ]
    .flatMap(([label, address]) => (address ? [{ label, address }] : []))
    // Omit duplicates: they would hide the addresses that differ.
    .filter(({ address }, place, all) => all.findIndex((other) => other.address === address) === place)
  if (links.length === 0) return <p className="text-muted-foreground text-[0.8125rem]/4.5">{t('moderation:noLinks')}</p>
  return (
    <dl className="flex flex-col gap-2">
      {links.map(({ label, address }) => (
        <div key={label} className="flex flex-wrap items-baseline gap-x-4">
          <dt className="text-muted-foreground text-xs w-40 shrink-0">{label}</dt>
          <dd className="text-[0.8125rem]/4.5 min-w-0 break-all">
            {/^https?:\/\//i.test(address) ? (
              <a
                href={address}
                target="_blank"
                rel="noreferrer noopener"
                className="text-primary-ink inline-flex min-h-6 items-center gap-1.5 underline underline-offset-2"
              >
                {address}
                <ExternalLink aria-hidden className="size-3.5 shrink-0" />
              </a>
            ) : (
              address
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
