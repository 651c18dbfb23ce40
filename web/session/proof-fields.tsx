import { useTranslation } from 'react-i18next'
import { TextField } from '@/components/form/fields'

/** The password of the signed-in user, and a code while their second factor is on: fields `password` and `code` of the form around. */
export function ProofFields({ asksForCode }: { readonly asksForCode: boolean }) {
  const { t } = useTranslation('profile')
  return (
    <>
      <TextField<'password'> name="password" label={t('password.old')} type="password" autoComplete="current-password" />
      {asksForCode && (
        <TextField<'code'>
          name="code"
          label={t('factor.code')}
          help={t('factor.codeHelp')}
          autoComplete="one-time-code"
          maxLength={20}
          inputClassName="font-mono tracking-widest"
        />
      )}
    </>
  )
}
