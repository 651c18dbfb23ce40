import team from '../locales/en/team.json'
import { addEnglish } from '../add-texts.ts'

// Texts of the people of an account.
addEnglish({ team })
