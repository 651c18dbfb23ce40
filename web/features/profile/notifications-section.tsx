import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { MAIL_CHOICES } from '#domain/notifications/notification'
import { ToggleRow } from '@/components/form/toggle-row'
import { LoadError } from '@/components/load-error'
import { SettingsSection } from '@/components/settings-section'
import { NativeSelect } from '@/components/ui/native-select'
import { Skeleton } from '@/components/ui/skeleton'
import { Switch } from '@/components/ui/switch'
import { notificationMutations, notificationQueries } from '@/data/notification-queries'
import { toast } from '@/lib/toast'
import '@/i18n/texts/notifications'

/** Notifications of the user: in the application, and by mail. */
export function NotificationsSection() {
  const { t } = useTranslation(['profile', 'notifications'])
  const { data, error, refetch } = useQuery(notificationQueries.choices())
  const save = useMutation({ ...notificationMutations.choose(), onSuccess: () => toast.success(t('saved')) })
  const choices = data?.choices.map((choice) => (save.isPending && save.variables.kind === choice.kind ? save.variables : choice))
  return (
    <SettingsSection title={t('notifications.title')} text={t('notifications.text')}>
      {choices !== undefined ? (
        <table className="w-full text-[0.8125rem]/4.5">
          <thead className="text-muted-foreground text-xs">
            <tr>
              <th scope="col" className="pb-2 text-left font-medium">
                {t('notifications.kindColumn')}
              </th>
              <th scope="col" className="pr-4 pb-2 text-left font-medium">
                {t('notifications.app')}
              </th>
              <th scope="col" className="pb-2 text-left font-medium">
                {t('notifications.mail')}
              </th>
            </tr>
          </thead>
          <tbody>
            {choices.map((choice) => {
              const kind = t(`notifications:kind.${choice.kind}`)
              return (
                <tr key={choice.kind}>
                  <th scope="row" className="py-1.5 pr-4 text-left font-medium">
                    {kind}
                  </th>
                  <td className="py-1.5 pr-4">
                    <Switch
                      aria-label={t('notifications:mail.app', { kind })}
                      checked={choice.app}
                      onCheckedChange={(app) => save.mutate({ ...choice, app })}
                    />
                  </td>
                  <td className="py-1.5">
                    <NativeSelect
                      aria-label={t('notifications:mail.label', { kind })}
                      value={choice.mail}
                      onChange={(event) =>
                        save.mutate({
                          ...choice,
                          mail: MAIL_CHOICES.find((one) => one === event.target.value) ?? choice.mail,
                        })
                      }
                      className="h-8 w-36"
                    >
                      {MAIL_CHOICES.map((one) => (
                        <option key={one} value={one}>
                          {t(`notifications:mail.${one}`)}
                        </option>
                      ))}
                    </NativeSelect>
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      ) : error === null ? (
        <Skeleton className="h-80" />
      ) : (
        <LoadError title={t('notifications.error')} error={error} onRetry={() => void refetch()} />
      )}
      <ToggleRow
        label={t('notifications.security')}
        help={t('notifications.securityHelp')}
        checked
        disabled
        onChange={() => undefined}
      />
    </SettingsSection>
  )
}
