import { CircleAlert } from 'lucide-react'
import type { CSSProperties } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { Progress } from '@/components/ui/progress'
import { cn } from '@/lib/utils'
import { brandTokens } from '@/theme/brand'
import { logoAddress } from './logo-address.ts'
import { previewOf, type BrandingValues } from './branding-values.ts'

/** Colours that were not chosen are the product's, and not those of the page around. */
const PRODUCT = {
  '--brand': 'var(--brand-default)',
  '--brand-secondary': 'var(--brand-secondary-default)',
  '--brand-warning': 'var(--brand-warning-default)',
  '--brand-gauge': 'var(--brand)',
}

/** The typed brand in both themes, before it is saved. */
export function BrandPreview() {
  const { t } = useTranslation('customization')
  const { control } = useFormContext<BrandingValues>()
  const values = useWatch({ control }) as BrandingValues
  const style = { ...PRODUCT, ...Object.fromEntries(brandTokens(previewOf(values))) } as CSSProperties
  return (
    <section aria-label={t('preview.title')} className="flex flex-col gap-3">
      <h2 className="text-[15px]/6 font-semibold">{t('preview.title')}</h2>
      <div className="grid gap-4 sm:max-xl:grid-cols-2">
        {(['light', 'dark'] as const).map((theme) => (
          <figure key={theme} className="flex flex-col gap-1.5">
            <figcaption className="text-muted-foreground text-xs">{t(`theme.${theme}`)}</figcaption>
            <div
              inert
              data-theme={theme}
              style={style}
              className={cn(
                theme,
                'bg-background text-foreground border-border flex flex-col gap-4 rounded-xl border p-4 shadow-xs',
              )}
            >
              <Sample name={values.name} logo={values.logo} />
            </div>
          </figure>
        ))}
      </div>
    </section>
  )
}

function Sample({ name, logo }: { readonly name: string; readonly logo: string }) {
  const { t } = useTranslation('customization')
  return (
    <>
      <div className="flex items-center gap-2.5">
        {logo === '' ? (
          <>
            <span className="bg-primary text-primary-foreground grid size-7 shrink-0 place-items-center rounded-lg font-semibold">
              {name.trim().slice(0, 1).toUpperCase()}
            </span>
            <span className="truncate text-[15px] font-semibold">{name}</span>
          </>
        ) : (
          <img src={logoAddress(logo)} alt="" className="h-8 max-w-40 object-contain" />
        )}
      </div>
      <div className="bg-card border-border flex flex-col gap-3 rounded-lg border p-4">
        <div className="flex items-center justify-between gap-2">
          <span className="text-primary-ink font-medium underline underline-offset-4">{t('preview.link')}</span>
          <Badge>3</Badge>
        </div>
        <div className="flex h-14 items-end gap-1.5">
          {[40, 75, 55, 90].map((height, i) => (
            <span
              key={height}
              className={cn('w-6 rounded-t-sm', i % 2 === 0 ? 'bg-chart-1' : 'bg-chart-2')}
              style={{ height: `${height}%` }}
            />
          ))}
        </div>
        <Progress value={62} aria-label={t('color.gauge')} />
        <div className="flex flex-wrap gap-2">
          <Button size="sm">{t('preview.button')}</Button>
          <Button size="sm" variant="outline">
            {t('preview.other')}
          </Button>
        </div>
      </div>
      <Notice tone="warn" className="text-[0.8125rem]/4.5">
        <CircleAlert aria-hidden />
        <p>{t('preview.warning')}</p>
      </Notice>
    </>
  )
}
