import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { saveProfile } from '../../../api/contract/profile.ts'
import { ToggleRow } from '@/components/form/toggle-row'
import { call } from '@/data/client'
import { toast } from '@/lib/toast'
import { useMe } from '@/session/session-queries'
import { SettingsSection } from '@/components/settings-section'

const CHOICES = ['balance', 'moderation'] as const

/** Which mails the user gets. */
export function NotificationsSection() {
  const { t } = useTranslation('profile')
  const { notifications } = useMe().settings
  const save = useMutation({
    meta: { invalidates: [['session', 'me']] },
    mutationFn: (changed: Partial<typeof notifications>) =>
      call(saveProfile, { params: { id: 'me' }, body: { notifications: changed } }),
    onSuccess: () => toast.success(t('saved')),
  })
  return (
    <SettingsSection title={t('notifications.title')} text={t('notifications.text')}>
      {CHOICES.map((choice) => (
        <ToggleRow
          key={choice}
          label={t(`notifications.${choice}`)}
          help={t(`notifications.${choice}Help`)}
          checked={save.isPending && save.variables[choice] !== undefined ? save.variables[choice] : notifications[choice]}
          onChange={(checked) => save.mutate({ [choice]: checked })}
        />
      ))}
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
