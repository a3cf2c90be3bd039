//! Macros that turn the description of a table into a struct that is read, written and documented.

/// A table with known keys: a struct whose fields are the keys, `= value` where a key has a default. Fields of type
/// `Option` and lists may be left out.
macro_rules! section {
    ($(#[doc = $doc:literal])+ $name:ident {
        $($(#[doc = $field_doc:literal])+ $field:ident: $type:ty $(= $default:expr)?;)*
    }) => {
        $(#[doc = $doc])+
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            $($(#[doc = $field_doc])+ pub $field: $type,)*
        }

        impl $name {
            /// The table's keys.
            pub(crate) fn section() -> $crate::form::Section {
                $crate::form::Section {
                    name: stringify!($name),
                    doc: $crate::form::doc(&[$($doc),+]),
                    fields: vec![$({
                        let default: Option<$type> = $crate::section::default_of!($($default)?);
                        $crate::form::Field {
                            name: stringify!($field),
                            doc: $crate::form::doc(&[$($field_doc),+]),
                            form: <$type as $crate::node::Node>::form(),
                            required: default.is_none() && <$type as $crate::node::Node>::absent().is_none(),
                            default: default.as_ref().and_then($crate::node::Node::write),
                        }
                    }),*],
                }
            }
        }

        impl $crate::node::Node for $name {
            fn read(item: &$crate::node::Item<'_>, reader: &mut $crate::node::Reader<'_>) -> Option<Self> {
                let table = reader.table(item)?;
                reader.allow(item, table, &[$(stringify!($field)),*]);
                $(let $field: Option<$type> = reader.field(
                    item, table, stringify!($field), $crate::section::default_of!($($default)?),
                );)*
                Some(Self { $($field: $field?,)* })
            }

            fn write(&self) -> Option<toml::Value> {
                let mut table = toml::Table::new();
                $(if let Some(value) = $crate::node::Node::write(&self.$field) {
                    table.insert(stringify!($field).to_owned(), value);
                })*
                Some(toml::Value::Table(table))
            }

            fn form() -> $crate::form::Form {
                $crate::form::Form::Section(Self::section())
            }
        }
    };
}

/// A default, if there is one.
macro_rules! default_of {
    () => {
        None
    };
    ($default:expr) => {
        Some($default)
    };
}

/// One of some words.
macro_rules! words {
    ($(#[doc = $doc:literal])+ $name:ident {
        $(#[doc = $word_doc:literal] $variant:ident => $word:literal,)+
    }) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $(#[doc = $word_doc] $variant,)+
        }

        impl $name {
            /// Every word, with what it means.
            const WORDS: &'static [(&'static str, &'static str)] = &[$(($word, $word_doc)),+];

            /// The word in scenes.
            pub fn word(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }
        }

        impl $crate::node::Node for $name {
            fn read(item: &$crate::node::Item<'_>, reader: &mut $crate::node::Reader<'_>) -> Option<Self> {
                match item.text() {
                    $(Some($word) => Some(Self::$variant),)+
                    text => {
                        let near = text.map_or_else(String::new, |text| {
                            $crate::problem::did_you_mean(text, Self::WORDS.iter().map(|(word, _)| *word))
                        });
                        let must = format!("{}{near}", Self::form().brief(reader.dimension()));
                        reader.wrong(item, &must);
                        None
                    }
                }
            }

            fn write(&self) -> Option<toml::Value> {
                Some(toml::Value::String(self.word().to_owned()))
            }

            fn form() -> $crate::form::Form {
                $crate::form::Form::Word(Self::WORDS)
            }
        }
    };
}

/// A table that is one of several sections; the key `tag` says which.
macro_rules! choice {
    ($(#[doc = $doc:literal])+ $name:ident by $tag:literal {
        $($variant:ident($section:ty) => $word:literal,)+
    }) => {
        $(#[doc = $doc])+
        #[derive(Clone, Debug, PartialEq)]
        #[allow(clippy::large_enum_variant, reason = "there are few of them")]
        pub enum $name {
            $(#[doc = concat!("`", $tag, " = \"", $word, "\"`.")] $variant($section),)+
        }

        impl $name {
            /// The word that says which it is.
            pub fn word(&self) -> &'static str {
                match self { $(Self::$variant(_) => $word,)+ }
            }
        }

        impl $crate::node::Node for $name {
            fn read(item: &$crate::node::Item<'_>, reader: &mut $crate::node::Reader<'_>) -> Option<Self> {
                let word = reader.tag(item, $tag, &[$($word),+])?;
                let item = item.tagged($tag);
                $(if word == $word {
                    return <$section as $crate::node::Node>::read(&item, reader).map(Self::$variant);
                })+
                None
            }

            fn write(&self) -> Option<toml::Value> {
                let section = match self { $(Self::$variant(section) => $crate::node::Node::write(section),)+ };
                let mut table = toml::Table::new();
                table.insert($tag.to_owned(), toml::Value::String(self.word().to_owned()));
                if let Some(toml::Value::Table(section)) = section {
                    table.extend(section);
                }
                Some(toml::Value::Table(table))
            }

            fn form() -> $crate::form::Form {
                $crate::form::Form::Choice {
                    name: stringify!($name),
                    doc: $crate::form::doc(&[$($doc),+]),
                    tag: $tag,
                    sections: vec![$(($word, <$section>::section())),+],
                }
            }
        }
    };
}

pub(crate) use {choice, default_of, section, words};
