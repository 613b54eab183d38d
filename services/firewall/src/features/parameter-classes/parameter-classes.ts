/** What the value of a parameter may be: the classes that need no definition of their own. */
export const parameterClasses = [
  'Alpha',
  'Alphanumeric',
  'Comments',
  'Email',
  'Generic',
  'Hex Number',
  'Integer',
  'Login',
  'No validation',
  'Password',
  'Search',
  'String',
] as const
