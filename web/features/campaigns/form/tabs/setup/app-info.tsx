import { useQuery } from '@tanstack/react-query'
import { CircleAlert, Smartphone } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AppError } from '@/data/app-error'
import { Alert, AlertDescription, AlertTitle } from '@/components/ui/alert'
import { referenceQueries } from '@/data/reference-queries'
import { errorText } from '@/i18n/error-text'
import { useDebounced } from '@/lib/use-debounced'
import { useCampaignForm, useFormValue } from '@/features/campaigns/form/campaign-form-context'

const LOOKUP_DELAY_MS = 500
const APP_UNKNOWN = 1311
const isPlatform = (text: string): text is 'ios' | 'android' => text === 'ios' || text === 'android'

/** Shows the catalogue data of the app with this bundle id. Its name fills an empty name field. */
export function AppInfo() {
  const { t } = useTranslation('form')
  const { getValues, setValue } = useCampaignForm()
  const platform = useFormValue('goalFields.appPlatform')
  const bundleId = useDebounced(useFormValue('goalFields.bundleId').trim(), LOOKUP_DELAY_MS)
  const [stored] = useState(`${platform} ${bundleId}`)
  const { data, error } = useQuery({
    ...referenceQueries.app(isPlatform(platform) ? platform : 'ios', bundleId),
    enabled: isPlatform(platform) && bundleId !== '',
  })
  const typed = stored !== `${platform} ${bundleId}`
  useEffect(() => {
    // Only for a newly typed app: opening a campaign must not change it.
    if (data !== undefined && typed && getValues('goalFields.appName') === '')
      setValue('goalFields.appName', data.app_name, { shouldDirty: true })
  }, [data, typed, getValues, setValue])
  if (error instanceof AppError && error.code === APP_UNKNOWN)
    return (
      <output className="col-span-2">
        <Alert variant="destructive" role="presentation">
          <CircleAlert aria-hidden />
          <AlertDescription>{errorText(error)}</AlertDescription>
        </Alert>
      </output>
    )
  if (data === undefined) return null
  const { app_name, app_icon, advertiser, price, star_rating, min_os_version } = data
  const facts = [
    advertiser,
    Number(price) === 0 ? t('app.free') : price,
    star_rating === null ? null : t('app.stars', { rating: star_rating }),
    min_os_version === null ? null : t('app.minOs', { version: min_os_version }),
  ]
  return (
    <output className="col-span-2">
      <Alert role="presentation" className="grid-cols-[auto_1fr] items-center gap-x-3">
        {/* Other origins are closed to the page (Content-Security-Policy). */}
        {app_icon?.startsWith('data:') === true ? (
          <img src={app_icon} alt="" className="rounded-md row-span-2 size-9" />
        ) : (
          <Smartphone aria-hidden />
        )}
        <AlertTitle>{app_name}</AlertTitle>
        <AlertDescription>{facts.filter(Boolean).join(' · ')}</AlertDescription>
      </Alert>
    </output>
  )
}
