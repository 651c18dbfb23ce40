import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { invitePerson } from '#contract/team'
import { nameFaults } from '#domain/registration/form'
import { FormDialog } from '@/components/form/form-dialog'
import { TextField } from '@/components/form/fields'
import { markSaved, namedField, showFaults, useShortForm } from '@/components/form/short-form'
import { call } from '@/data/client'
import { errorToast } from '@/i18n/error-toast'
import { toast } from '@/lib/toast'
import { RoleField } from './role-field.tsx'
import { invitationFault, teamFaultText } from './team-faults.ts'
import { teamQueries, type Team } from './team-queries.ts'
import '@/i18n/texts/registration'

type Values = { readonly first_name: string; readonly last_name: string; readonly email: string; readonly roles: string }
type Name = keyof Values

const FIELDS: readonly Name[] = ['first_name', 'last_name', 'email', 'roles']

type InviteDialogProps = {
  readonly spaceId: string
  readonly roles: Team['roles']
  readonly onClose: () => void
}

/** Invites a person by mail. */
export function InviteDialog({ spaceId, roles, onClose }: InviteDialogProps) {
  const { t } = useTranslation(['team', 'registration'])
  const form = useShortForm<Values>({ first_name: '', last_name: '', email: '', roles: '' }, (values) => ({
    ...Object.fromEntries(nameFaults(values).map((fault) => [fault.path, teamFaultText(fault)])),
    roles: values.roles === '' ? t('team:role.required') : null,
  }))
  const { mutate, isPending } = useMutation({
    meta: { silent: true, invalidates: [teamQueries.all(), ['approvals']] },
    mutationFn: ({ email, first_name, last_name, roles: chosen }: Values) =>
      call(invitePerson, {
        params: { id: spaceId },
        body: {
          email: email.trim(),
          first_name: first_name.trim(),
          last_name: last_name.trim(),
          roles: roles.filter((role) => role === chosen),
        },
      }),
    onSuccess: ({ member }) => {
      toast.success(member === null ? t('team:done.waiting') : t('team:done.invite', { email: member.email }))
      markSaved(form)
      onClose()
    },
    onError: (error) => {
      const isShown = showFaults(form, invitationFault(error), { fieldOf: namedField(FIELDS), textOf: teamFaultText })
      if (!isShown) errorToast(error)
    },
  })
  return (
    <FormDialog
      title={t('team:invite.title')}
      description={t('team:invite.text')}
      form={form}
      confirm={t('team:invite.confirm')}
      disabled={isPending}
      onClose={onClose}
      onSubmit={(values) => mutate(values)}
    >
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <TextField<Name> name="first_name" label={t('registration:signUp.firstName')} maxLength={300} />
        <TextField<Name> name="last_name" label={t('registration:signUp.lastName')} maxLength={300} />
      </div>
      <TextField<Name>
        name="email"
        label={t('registration:signUp.email')}
        inputMode="email"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={300}
      />
      <RoleField name="roles" roles={roles} />
    </FormDialog>
  )
}
