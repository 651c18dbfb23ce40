import { useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { BANNER_SIZES } from '#domain/campaign/content/options'
import { referenceQueries } from '@/data/reference-queries'
import { useCampaignForm, useFormValue } from '@/features/campaigns/form/campaign-form-context'
import { formatShare } from '@/i18n/format'
import { cn } from '@/lib/utils'

type SizeMapProps = { readonly chosen: number; readonly onChoose: (sizeKey: number) => void }

/** Shapes are drawn this high at most, pixels. */
const HIGHEST = 28
const WIDEST = 44

/** Every banner size with the part of the places that it can be shown on, those that the campaign lacks among them. Choosing one sets the size. */
export function SizeMap({ chosen, onChoose }: SizeMapProps) {
  const { t } = useTranslation('creatives')
  const { control } = useCampaignForm()
  const country = useFormValue('country')
  const banners = useWatch({ control, name: 'banners' })
  const { data } = useQuery(referenceQueries.bannerSizes(country))
  if (data === undefined) return null
  const has = new Set(banners.map(({ width, height }) => `${width}x${height}`))
  const sizes = data.sizes.flatMap(({ width, height, share }) => {
    const key = BANNER_SIZES.find((size) => size.width === width && size.height === height)?.key
    return key === undefined ? [] : [{ key, width, height, share, here: has.has(`${width}x${height}`) }]
  })
  const covered = sizes.reduce((sum, { share, here }) => sum + (here ? share : 0), 0)
  const next = sizes.find(({ here }) => !here)
  return (
    <div className="col-span-2 flex flex-col gap-2">
      <p className="text-[0.8125rem]/4.5">
        {t('sizes.covered', { share: formatShare(covered * 100) })}{' '}
        {next !== undefined && (
          <span className="text-muted-foreground">
            {t('sizes.next', { size: `${next.width}x${next.height}`, share: formatShare(next.share * 100) })}
          </span>
        )}
      </p>
      <ul aria-label={t('sizes.label')} className="grid grid-cols-5 gap-2 max-sm:grid-cols-3">
        {sizes.map(({ key, width, height, share, here }) => {
          const scale = Math.min(WIDEST / width, HIGHEST / height)
          const name = `${width}x${height}`
          return (
            <li key={key}>
              <button
                type="button"
                aria-pressed={chosen === key}
                onClick={() => onChoose(key)}
                className={cn(
                  'border-border hover:bg-muted flex w-full flex-col items-center gap-1 rounded-lg border px-2 py-2 text-xs transition-colors',
                  chosen === key && 'border-primary-ink',
                )}
              >
                <span aria-hidden className="grid h-8 place-items-center">
                  <span
                    className={cn(
                      'grid place-items-center rounded-[2px] border',
                      here ? 'border-primary-ink bg-primary-tint text-primary-ink' : 'border-input border-dashed',
                    )}
                    style={{ width: Math.max(8, width * scale), height: Math.max(6, height * scale) }}
                  >
                    {here && height * scale >= 14 && width * scale >= 14 && <Check className="size-3" />}
                  </span>
                </span>
                <span className="tabular-nums">{name}</span>{' '}
                <span className="sr-only">{t(here ? 'sizes.here' : 'sizes.missing')}</span>{' '}
                <span className={cn('tabular-nums', here ? 'text-primary-ink' : 'text-muted-foreground')}>
                  {formatShare(share * 100)}
                </span>
              </button>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
