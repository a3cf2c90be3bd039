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
            pub(crate) fn section() -> $crate::value_type::Section {
                $crate::value_type::Section {
                    name: stringify!($name),
                    doc: $crate::value_type::doc(&[$($doc),+]),
                    fields: vec![$({
                        let default: Option<$type> = $crate::section::default_of!($($default)?);
                        $crate::value_type::Field {
                            name: stringify!($field),
                            doc: $crate::value_type::doc(&[$($field_doc),+]),
                            value_type: <$type as $crate::node::Node>::value_type(),
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

            fn value_type() -> $crate::value_type::ValueType {
                $crate::value_type::ValueType::Section(Self::section())
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

/// One of some keywords.
macro_rules! keywords {
    ($(#[doc = $doc:literal])+ $name:ident {
        $(#[doc = $keyword_doc:literal] $variant:ident => $keyword:literal,)+
    }) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $(#[doc = $keyword_doc] $variant,)+
        }

        impl $name {
            /// Every keyword, with what it means.
            const KEYWORDS: &'static [(&'static str, &'static str)] = &[$(($keyword, $keyword_doc)),+];

            /// The keyword in scenes.
            pub fn keyword(self) -> &'static str {
                match self { $(Self::$variant => $keyword,)+ }
            }
        }

        impl $crate::node::Node for $name {
            fn read(item: &$crate::node::Item<'_>, reader: &mut $crate::node::Reader<'_>) -> Option<Self> {
                match item.text() {
                    $(Some($keyword) => Some(Self::$variant),)+
                    text => {
                        let near = text.map_or_else(String::new, |text| {
                            $crate::problem::did_you_mean(text, Self::KEYWORDS.iter().map(|(keyword, _)| *keyword))
                        });
                        let must = format!("{}{near}", Self::value_type().describe(reader.dimension()));
                        reader.invalid(item, &must);
                        None
                    }
                }
            }

            fn write(&self) -> Option<toml::Value> {
                Some(toml::Value::String(self.keyword().to_owned()))
            }

            fn value_type() -> $crate::value_type::ValueType {
                $crate::value_type::ValueType::Keyword(Self::KEYWORDS)
            }
        }
    };
}

/// A table that is one of several sections; the key `tag` says which.
macro_rules! choice {
    ($(#[doc = $doc:literal])+ $name:ident by $tag:literal {
        $($variant:ident($section:ty) => $keyword:literal,)+
    }) => {
        $(#[doc = $doc])+
        #[derive(Clone, Debug, PartialEq)]
        #[allow(clippy::large_enum_variant, reason = "there are few of them")]
        pub enum $name {
            $(#[doc = concat!("`", $tag, " = \"", $keyword, "\"`.")] $variant($section),)+
        }

        impl $name {
            /// The keyword that says which it is.
            pub fn keyword(&self) -> &'static str {
                match self { $(Self::$variant(_) => $keyword,)+ }
            }
        }

        impl $crate::node::Node for $name {
            fn read(item: &$crate::node::Item<'_>, reader: &mut $crate::node::Reader<'_>) -> Option<Self> {
                let keyword = reader.tag(item, $tag, &[$($keyword),+])?;
                let item = item.tagged($tag);
                $(if keyword == $keyword {
                    return <$section as $crate::node::Node>::read(&item, reader).map(Self::$variant);
                })+
                None
            }

            fn write(&self) -> Option<toml::Value> {
                let section = match self { $(Self::$variant(section) => $crate::node::Node::write(section),)+ };
                let mut table = toml::Table::new();
                table.insert($tag.to_owned(), toml::Value::String(self.keyword().to_owned()));
                if let Some(toml::Value::Table(section)) = section {
                    table.extend(section);
                }
                Some(toml::Value::Table(table))
            }

            fn value_type() -> $crate::value_type::ValueType {
                $crate::value_type::ValueType::Choice {
                    name: stringify!($name),
                    doc: $crate::value_type::doc(&[$($doc),+]),
                    tag: $tag,
                    sections: vec![$(($keyword, <$section>::section())),+],
                }
            }
        }
    };
}

pub(crate) use {choice, default_of, keywords, section};
