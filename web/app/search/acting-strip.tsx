import { useTranslation } from 'react-i18next'
import { Button } from '@/components/ui/button'
import { useMe } from '@/session/session-queries'
import { useSwitchAccount } from '@/session/use-switch-account'
import '@/i18n/texts/search'

/** Says in every screen that the session acts in another account, and leads back. */
export function ActingStrip() {
  const { t } = useTranslation('search')
  const me = useMe()
  const { mutate, isPending } = useSwitchAccount()
  if (me.space_id === me.home_space_id) return null
  return (
    <section
      aria-label={t('acting', { account: me.space_name })}
      className="bg-primary-tint border-border sticky top-0 z-40 flex min-h-10 flex-wrap items-center gap-x-3 border-b px-4 py-1 lg:px-8"
    >
      <p className="text-primary-ink min-w-0 truncate font-medium">{t('acting', { account: me.space_name })}</p>
      <Button
        variant="outline"
        size="sm"
        disabled={isPending}
        onClick={() => mutate({ spaceId: me.home_space_id, campaign: null })}
        className="ml-auto"
      >
        {t('back')}
      </Button>
    </section>
  )
}
