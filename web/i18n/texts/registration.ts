import registration from '../locales/en/registration.json'
import { addEnglish } from '../add-texts.ts'

// Texts of registration, of forgotten passwords and of the screening of registrants.
addEnglish({ registration })
