import { useTranslation } from 'react-i18next'
import type { Campaign } from '#contract/campaign-body'
import { useFurtherContent } from './use-further-content.ts'

export function FurtherContentSection({ campaign }: { readonly campaign: Campaign }) {
  const { t } = useTranslation('moderation')
  const sections = useFurtherContent(campaign)
  if (sections.length === 0) return <p className="text-muted-foreground text-[0.8125rem]/4.5">{t('contentNone')}</p>
  return (
    <div className="flex flex-col gap-4">
      {sections.map(({ title, rows }) => (
        <section key={title} aria-label={title}>
          <h4 className="text-[0.8125rem]/4.5 mb-1 font-semibold">{title}</h4>
          <dl className="divide-border divide-y">
            {rows.map(({ label, value }) => (
              <div key={label} className="flex flex-wrap gap-x-4 py-1.5">
                <dt className="text-muted-foreground text-[0.8125rem]/4.5 w-48 shrink-0">{label}</dt>
                <dd className="text-[0.8125rem]/4.5 min-w-0 grow basis-64 break-words tabular-nums">{value}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  )
}
