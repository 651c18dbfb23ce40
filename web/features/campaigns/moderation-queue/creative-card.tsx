import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ServingDecision, type Decision } from '@/features/campaigns/creatives/serving-decision'

type CreativeCardProps = {
  readonly title: string
  readonly name: string | null
  readonly decision: Decision
  /** False for stored but disabled ads. */
  readonly enabled: boolean
  /** The preview beside the texts. */
  readonly preview: ReactNode
  readonly children: ReactNode
}

/** An ad of several parts: its preview and every part, including parts that the preview omits. */
export function CreativeCard({ title, name, decision, enabled, preview, children }: CreativeCardProps) {
  const { t } = useTranslation('moderation')
  return (
    <article aria-label={title} className="border-border rounded-lg flex flex-col gap-3 border p-4">
      <header className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h4 className="text-[0.8125rem]/4.5 font-semibold">{title}</h4>
        {name !== null && name !== '' && <span className="text-muted-foreground text-xs">{name}</span>}
        {!enabled && <span className="bg-muted text-muted-foreground text-xs rounded-full px-2">{t('switchedOff')}</span>}
        <span className="ml-auto">
          <ServingDecision decision={decision} />
        </span>
      </header>
      <div className="flex flex-wrap items-start gap-5">
        <div className="w-[252px] shrink-0">{preview}</div>
        <div className="flex min-w-52 flex-1 flex-col gap-4">{children}</div>
      </div>
    </article>
  )
}

type TextsProps = { readonly texts: readonly { readonly label: string; readonly values: readonly string[] }[] }

/** Texts by field; empty ones are omitted. */
export function CreativeTexts({ texts }: TextsProps) {
  const filled = texts.map(({ label, values }) => ({ label, values: values.filter((value) => value.trim() !== '') }))
  return (
    <dl className="text-[0.8125rem]/4.5 flex flex-col gap-2">
      {filled
        .filter(({ values }) => values.length > 0)
        .map(({ label, values }) => (
          <div key={label}>
            <dt className="text-muted-foreground text-xs">{label}</dt>
            {values.map((value) => (
              <dd key={value} className="[overflow-wrap:anywhere] whitespace-pre-line">
                {value}
              </dd>
            ))}
          </div>
        ))}
    </dl>
  )
}

type PicturesProps = { readonly label: string; readonly urls: readonly (string | null | undefined)[] }

export function CreativePictures({ label, urls }: PicturesProps) {
  const shown = urls.filter((url) => typeof url === 'string')
  if (shown.length === 0) return null
  return (
    <div>
      <p className="text-muted-foreground text-xs mb-1">{label}</p>
      <ul aria-label={label} className="flex flex-wrap gap-2">
        {shown.map((url, index) => (
          <li key={url} className="checkered rounded-md overflow-hidden">
            <img src={url} alt={`${label} ${index + 1}`} className="h-24 w-auto max-w-60 object-contain" />
          </li>
        ))}
      </ul>
    </div>
  )
}
